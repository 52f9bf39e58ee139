import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { artifactHints } from '../../../cli/artifact/artifact-failure.ts';
import { plan } from '../../../schemas/plan.ts';
import { parseArtifactReference } from '../../../schemas/parse-artifact-reference.ts';

const page = readFileSync('docs/artifacts/first-document.md', 'utf8');
const findBlocks = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map((block) => block[1]!);

describe('the page of the first document', () => {
  it('has a plan that may be submitted', () => {
    const blocks = findBlocks('yaml');
    expect(blocks).toHaveLength(1);
    for (const block of blocks) expect(plan.safeParse(parse(block)).error).toBeUndefined();
  });

  it('prints failures as the command does', () => {
    for (const block of findBlocks('text')) {
      const [, code = '', hint] = /^err:([a-z_]+): (.+)\n$/.exec(block) ?? [];
      expect(artifactHints).toHaveProperty(code, hint);
    }
  });

  it('A7 A8 shows an answer with a reference that is one', () => {
    const answers = findBlocks('json').map((block) => JSON.parse(block) as Record<string, unknown>);
    expect(answers).toHaveLength(1);
    const reference = parseArtifactReference(String(answers[0]?.['reference']));
    expect(reference).toMatchObject({ board: 'demo', sha256: answers[0]?.['sha256'] });
  });
});
