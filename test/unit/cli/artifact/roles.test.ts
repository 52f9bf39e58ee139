import { describe, expect, it } from 'vitest';
import { chooseUploadKind } from '../../../../cli/artifact/command/choose-upload-kind.ts';
import { parseRole } from '../../../../cli/artifact/roles/artifact-role.ts';
import { nameCompanion, recogniseRole } from '../../../../cli/artifact/roles/companion-names.ts';
import { chooseOriginalName } from '../../../../cli/artifact/source/choose-name.ts';
import { findCode } from './setting/expect-code.ts';

const sha = 'a'.repeat(64);
const owner = { board: 'demo', taskId: 't_1' };
const reference = `kanban-artifact:v1:demo:t_1:41:${sha}`;

describe('a role', () => {
  it.each(['original', 'preview', 'extracted-text'])('A14 is %s', (role) => {
    expect(parseRole(role)).toBe(role);
  });

  it.each(['', 'Preview', 'extracted_text', 'thumbnail', 'constructor'])(
    'A33 is not %j',
    (role) => {
      expect(findCode(() => parseRole(role))).toBe('artifact_role_invalid');
    },
  );

  it.each([
    ['brief.docx', 'original', null],
    ['brief.docx.preview.png', 'preview', 'brief.docx'],
    ['brief.docx.extracted.txt', 'extracted-text', 'brief.docx'],
    ['Brief.DOCX.Preview.PNG', 'preview', 'Brief.DOCX'],
    ['a.preview.png.extracted.txt', 'extracted-text', 'a.preview.png'],
    ['preview.png', 'original', null],
    ['.preview.png', 'original', null],
    ['brief.preview.jpg', 'original', null],
    ['brief.preview.png.docx', 'original', null],
  ])('A15 of %s is %s', (filename, role, companionOf) => {
    expect(recogniseRole(filename)).toEqual({ role, companionOf });
  });

  it('A15 names a companion after its original', () => {
    expect(nameCompanion('brief.docx', 'preview')).toBe('brief.docx.preview.png');
    expect(nameCompanion('brief.docx', 'extracted-text')).toBe('brief.docx.extracted.txt');
  });
});

describe('the name of an original', () => {
  it.each(['brief.docx', './a b.docx', '/x/ä.pptx', 'a..b', 'x', `${'a'.repeat(251)}.txt`])(
    'A30 may be that of %j',
    (path) => {
      expect(findCode(() => chooseOriginalName(path))).toBeUndefined();
    },
  );

  it.each(['.hidden', './-x', 'a\nb', 'a\u007fb', 'a\u0085b', 'a\\b', 'ä'.repeat(128), 'a\u202eb'])(
    'A30 may not be that of %j',
    (path) => {
      expect(findCode(() => chooseOriginalName(path))).toBe('artifact_name_invalid');
    },
  );

  it.each(['a.preview.png', 'a.EXTRACTED.txt'])('A16 A31 may not be %s', (path) => {
    expect(findCode(() => chooseOriginalName(path))).toBe('artifact_name_reserved');
  });
});

describe('what an upload is', () => {
  it('A1 is an original, or a companion of one', () => {
    expect(chooseUploadKind({}, owner)).toEqual({ role: 'original', mediaType: undefined });
    expect(chooseUploadKind({ role: 'preview', original: reference }, owner)).toMatchObject({
      role: 'preview',
      original: { attachmentId: 41 },
    });
  });

  it('A32 may have a type in any letter case', () => {
    expect(chooseUploadKind({ mediaType: 'Text/HTML' }, owner)).toMatchObject({
      mediaType: 'text/html',
    });
  });

  it.each([
    [{ role: 'nonsense' }, 'artifact_role_invalid'],
    [{ mediaType: 'text' }, 'artifact_media_type_invalid'],
    [{ mediaType: '' }, 'artifact_media_type_invalid'],
    [{ mediaType: 'text/plain; charset=utf-8' }, 'artifact_media_type_invalid'],
    [{ mediaType: 'text/pl ain' }, 'artifact_media_type_invalid'],
    [{ mediaType: '-x/plain' }, 'artifact_media_type_invalid'],
    [{ mediaType: `text/${'x'.repeat(123)}` }, 'artifact_media_type_invalid'],
    [{ role: 'preview' }, 'artifact_original_required'],
    [{ role: 'extracted-text' }, 'artifact_original_required'],
    [{ role: 'preview', original: '41' }, 'artifact_ref_malformed'],
    [{ role: 'preview', original: reference.replace('demo', 'other') }, 'artifact_board_mismatch'],
    [{ role: 'preview', original: reference.replace('t_1', 't_2') }, 'artifact_original_invalid'],
  ])('A32 A33 A34 A35 %j is refused as %s', (options, code) => {
    expect(findCode(() => chooseUploadKind(options, owner))).toBe(code);
  });
});
