import { describe, expect, it } from 'vitest';
import { artifactReference } from '../../../../schemas/artifact-reference.ts';
import {
  parseArtifactReference,
  parseAttachmentId,
  renderArtifactReference,
} from '../../../../schemas/parse-artifact-reference.ts';

const sha = 'a'.repeat(64);
const good = `kanban-artifact:v1:demo:t_0123abcd:41:${sha}`;

describe('a reference', () => {
  it('A7 is read and written without a change', () => {
    const reference = parseArtifactReference(good);
    expect(reference).toEqual({
      board: 'demo',
      taskId: 't_0123abcd',
      attachmentId: 41,
      sha256: sha,
    });
    expect(reference && renderArtifactReference(reference)).toBe(good);
    expect(artifactReference.safeParse(good).success).toBe(true);
  });

  it.each([
    `kanban-artifact:v1:0:0:9007199254740991:${sha}`,
    `kanban-artifact:v1:${'b'.repeat(64)}:${'T'.repeat(64)}:1:${sha}`,
    `kanban-artifact:v1:a_b-c:A-b_c:1:${sha}`,
  ])('A7 takes %s', (text) => {
    expect(parseArtifactReference(text)).toBeDefined();
  });

  it.each([
    '',
    '41',
    './brief.docx',
    '/srv/brief.docx',
    'https://example.com/brief.docx',
    `kanban-artifact:v2:demo:t_1:41:${sha}`,
    `kanban-artifact:V1:demo:t_1:41:${sha}`,
    `Kanban-artifact:v1:demo:t_1:41:${sha}`,
    `artifact:v1:demo:t_1:41:${sha}`,
    `${good}:more`,
    `${good}:`,
    ` ${good}`,
    `${good}\n`,
    `kanban-artifact:v1:demo:t_1:${sha}`,
    `kanban-artifact:v1:Demo:t_1:41:${sha}`,
    `kanban-artifact:v1:-demo:t_1:41:${sha}`,
    `kanban-artifact:v1:${'b'.repeat(65)}:t_1:41:${sha}`,
    `kanban-artifact:v1::t_1:41:${sha}`,
    `kanban-artifact:v1:demo:-t:41:${sha}`,
    `kanban-artifact:v1:demo:t/1:41:${sha}`,
    `kanban-artifact:v1:demo:${'t'.repeat(65)}:41:${sha}`,
    `kanban-artifact:v1:demo:t_1:0:${sha}`,
    `kanban-artifact:v1:demo:t_1:041:${sha}`,
    `kanban-artifact:v1:demo:t_1:-41:${sha}`,
    `kanban-artifact:v1:demo:t_1:4.1:${sha}`,
    `kanban-artifact:v1:demo:t_1:9007199254740992:${sha}`,
    `kanban-artifact:v1:demo:t_1:41:${sha.toUpperCase()}`,
    `kanban-artifact:v1:demo:t_1:41:${sha}0`,
    `kanban-artifact:v1:demo:t_1:41:${'g'.repeat(64)}`,
  ])('A7 A9 A21 is not %j', (text) => {
    expect(parseArtifactReference(text)).toBeUndefined();
    expect(artifactReference.safeParse(text).success).toBe(false);
  });

  it('A7 has an id that no parser rounds', () => {
    expect(parseAttachmentId('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER);
    expect(parseAttachmentId('9007199254740993')).toBeUndefined();
  });
});
