import type { Behaviour } from '../behaviour.ts';
import { attachmentId, listed, printJson, reference, takeInput, uploaded } from '../call.ts';
import type { WireRecord } from '../call.ts';

const capBytes = 26_214_400;
const otherHash = 'e'.repeat(64);

function answersUpload(title: string, code: string, changes: WireRecord): Behaviour {
  return {
    title,
    command: 'upload',
    code,
    act: {
      'artifact-upload': (call) => {
        takeInput();
        printJson(uploaded(call, changes));
      },
    },
  };
}

function lists(
  command: 'list' | 'download',
  says: { title: string; code: string },
  records: () => WireRecord[],
): Behaviour {
  return {
    ...says,
    command,
    act: {
      'artifact-list': () => {
        printJson(records());
      },
    },
  };
}

/** A companion's upload, which looks at the listing first. */
function uploadsCompanion(title: string, code: string, records: () => WireRecord[]): Behaviour {
  return {
    title,
    command: 'upload',
    code,
    words: ['--role', 'preview', '--original', reference],
    act: {
      'artifact-list': () => {
        printJson(records());
      },
    },
  };
}

const mismatch = 'artifact_metadata_mismatch';
const invalid = 'artifact_transport_invalid';

const uploads: Behaviour[] = [
  answersUpload('A37 upload: another size', mismatch, { size: 1 }),
  answersUpload('A37 upload: another checksum', mismatch, { sha256: otherHash }),
  answersUpload('A37 upload: another name', mismatch, { filename: 'other.bin' }),
  answersUpload('A37 upload: a name with a number added', mismatch, { filename: 'source (1).bin' }),
  answersUpload('A37 upload: a name in other letters', mismatch, { filename: 'SOURCE.bin' }),
  answersUpload('A37 upload: another media type', mismatch, { content_type: 'text/html' }),
  answersUpload('A37 upload: a parameter added to the media type', mismatch, {
    content_type: 'application/octet-stream; charset=binary',
  }),
  answersUpload('A23 upload: another task', 'artifact_task_mismatch', { task_id: 't_other' }),
  answersUpload('A23 upload: the task in other letters', 'artifact_task_mismatch', {
    task_id: 'T_0123ABCD',
  }),
];

const listings: Behaviour[] = [
  lists('list', { title: 'A23 list: another task', code: 'artifact_task_mismatch' }, () => [
    listed({ task_id: 't_other' }),
  ]),
  lists(
    'list',
    { title: 'A23 list: one of two of another task', code: 'artifact_task_mismatch' },
    () => [listed(), listed({ id: 42, task_id: 't_other' })],
  ),
  lists('list', { title: 'A22 list: another board', code: 'artifact_board_mismatch' }, () => [
    listed({ board: 'other' }),
  ]),
  lists('download', { title: 'A23 download: another task', code: 'artifact_task_mismatch' }, () => [
    listed({ task_id: 't_other' }),
  ]),
  lists(
    'download',
    { title: 'A25 download: another checksum', code: 'artifact_revision_mismatch' },
    () => [listed({ sha256: otherHash })],
  ),
  lists('download', { title: 'A24 download: not listed', code: 'artifact_not_found' }, () => []),
  lists(
    'download',
    { title: 'A24 download: the bytes under another id', code: 'artifact_not_found' },
    () => [listed({ id: 42 })],
  ),
  lists('download', { title: 'A43 download: the id twice, alike', code: invalid }, () => [
    listed(),
    listed(),
  ]),
  lists('download', { title: 'A43 download: the id twice, right first', code: invalid }, () => [
    listed(),
    listed({ sha256: otherHash }),
  ]),
  lists('download', { title: 'A43 download: the id twice, right last', code: invalid }, () => [
    listed({ sha256: otherHash }),
    listed(),
  ]),
  lists(
    'download',
    { title: 'A26 download: a size one byte short', code: 'artifact_integrity_failed' },
    () => [listed({ size: (listed()['size'] as number) - 1 })],
  ),
  lists(
    'download',
    { title: 'A26 download: a size one byte long', code: 'artifact_integrity_failed' },
    () => [listed({ size: (listed()['size'] as number) + 1 })],
  ),
  lists(
    'download',
    { title: 'A26 download: a size of nothing', code: 'artifact_integrity_failed' },
    () => [listed({ size: 0 })],
  ),
  lists(
    'download',
    { title: 'A28 download: a size above the cap', code: 'artifact_too_large' },
    () => [listed({ size: capBytes + 1 })],
  ),
];

const unsafeNames: [what: string, name: string][] = [
  ['a path upwards', '../../etc/passwd'],
  ['an absolute path', '/etc/passwd'],
  ['a path of another system', 'a\\b'],
  ['the folder above', '..'],
  ['nothing', ''],
  ['a NUL', 'a\u0000b'],
  ['an escape sequence', '\u001b[2Jx'],
  ['an escape sequence of one byte', '\u009b2Jx'],
  ['a line end', 'a\nb'],
  ['a line end of another kind', 'a\u2028b'],
  ['letters that run backwards', 'fdp.\u202excod.exe'],
  ['half of a letter', 'a\ud800b'],
  ['256 bytes', 'x'.repeat(256)],
];

const names = unsafeNames.map(([what, filename]) =>
  lists('list', { title: `A51 list: a name with ${what}`, code: invalid }, () => [
    listed({ filename }),
  ]),
);

const mediaTypes = ['docx', '', 'text/html\r\nx: y', 'a/b/c'].map((contentType) =>
  lists(
    'list',
    { title: `A51 list: the media type ${JSON.stringify(contentType)}`, code: invalid },
    () => [listed({ content_type: contentType })],
  ),
);

const companions: Behaviour[] = [
  uploadsCompanion('A35 upload: the original is not listed', 'artifact_original_invalid', () => []),
  uploadsCompanion('A35 upload: the original has changed', 'artifact_original_invalid', () => [
    listed({ sha256: otherHash }),
  ]),
  uploadsCompanion('A23 upload: the original of another task', 'artifact_task_mismatch', () => [
    listed({ task_id: 't_other' }),
  ]),
  uploadsCompanion(
    'A30 upload: the original has no room for a suffix',
    'artifact_name_invalid',
    () => [listed({ filename: 'x'.repeat(250) })],
  ),
  uploadsCompanion('A36 upload: the companion is listed', 'artifact_companion_exists', () => [
    listed(),
    listed({
      id: attachmentId + 1,
      filename: 'brief.docx.preview.png',
      content_type: 'image/png',
    }),
  ]),
  uploadsCompanion(
    'A27 upload: the original without a checksum',
    'artifact_checksum_missing',
    () => [listed({ sha256: null })],
  ),
];

export const lyingRecords: Behaviour[] = [
  ...uploads,
  ...listings,
  ...names,
  ...mediaTypes,
  ...companions,
];
