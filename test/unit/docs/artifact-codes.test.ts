import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { artifactHints } from '../../../cli/artifact/artifact-failure.ts';
import { composeHints } from '../../../cli/compose/plan-docker-call.ts';

const page = readFileSync('docs/artifacts/codes.md', 'utf8');
const rows = page.split('\n').flatMap((line) => {
  const cells = line.split(' | ');
  const code = /^\| `([a-z_]+)`$/.exec(cells[0] ?? '')?.[1];
  return code === undefined ? [] : [{ code, cells: cells.slice(1) }];
});

describe('the table of codes', () => {
  it('has every code once and no other', () => {
    expect(rows.map(({ code }) => code).sort()).toEqual(Object.keys(artifactHints).sort());
  });

  it('says of every code why it comes and what to do', () => {
    for (const { code, cells } of rows) {
      expect(cells, code).toHaveLength(2);
      for (const cell of cells) expect(cell.replace(/ \|$/, '').length, code).toBeGreaterThan(10);
    }
  });

  it('names the codes of windlass-compose', () => {
    for (const code of Object.keys(composeHints)) expect(page).toContain(`\`${code}\``);
  });
});
