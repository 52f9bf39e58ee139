import type { Behaviour } from '../behaviour.ts';
import { listed, omit, print, printJson, takeInput, uploaded } from '../call.ts';
import type { WireRecord } from '../call.ts';

const invalid = 'artifact_transport_invalid';

function lists(title: string, record: () => WireRecord, code = invalid): Behaviour {
  return {
    title,
    command: 'list',
    code,
    act: {
      'artifact-list': () => {
        printJson([record()]);
      },
    },
  };
}

function answersUpload(title: string, change: (record: WireRecord) => WireRecord): Behaviour {
  return {
    title,
    command: 'upload',
    code: invalid,
    act: {
      'artifact-upload': (call) => {
        takeInput();
        printJson(change(uploaded(call)));
      },
    },
  };
}

const keys = ['id', 'task_id', 'filename', 'content_type', 'size', 'uploaded_by', 'created_at'];

const wrongTypes: [key: string, value: unknown][] = [
  ['id', '41'],
  ['id', 0],
  ['id', -41],
  ['id', 41.5],
  ['id', true],
  ['id', null],
  ['id', 2 ** 53],
  ['task_id', 123],
  ['task_id', null],
  ['filename', ['brief.docx']],
  ['filename', null],
  ['content_type', 7],
  ['size', '18432'],
  ['size', -1],
  ['size', 1.5],
  ['size', null],
  ['uploaded_by', { name: 'coordinator' }],
  ['uploaded_by', '\u001b[31mroot'],
  ['created_at', '2026-01-01T00:00:00Z'],
  ['sha256', 12],
  ['sha256', 'A'.repeat(64)],
  ['sha256', 'a'.repeat(63)],
  ['sha256', `${'a'.repeat(64)}\n`],
  ['sha256', `sha256:${'a'.repeat(64)}`],
];

/** A literal a number cannot hold: text, as `JSON.stringify` would round it. */
function listsNumber(title: string, key: string, literal: string): Behaviour {
  return {
    title,
    command: 'list',
    code: invalid,
    act: {
      'artifact-list': () => {
        const text = JSON.stringify([listed({ [key]: '#' })]);
        print(text.replace('"#"', literal));
      },
    },
  };
}

export const brokenRecords: Behaviour[] = [
  ...keys.map((key) => lists(`A43 list: a record without ${key}`, () => omit(listed(), key))),
  ...wrongTypes.map(([key, value]) =>
    lists(`A77 list: ${key} is ${JSON.stringify(value)}`, () => listed({ [key]: value })),
  ),
  listsNumber('A43 list: an id beyond all numbers', 'id', '1e400'),
  listsNumber('A43 list: an id that would be rounded', 'id', '9007199254740993'),
  listsNumber('A43 list: a size beyond all numbers', 'size', '1e309'),
  lists(
    'A27 list: a record without sha256',
    () => omit(listed(), 'sha256'),
    'artifact_checksum_missing',
  ),
  lists('A27 list: sha256 is null', () => listed({ sha256: null }), 'artifact_checksum_missing'),
  lists('A27 list: sha256 is empty', () => listed({ sha256: '' }), 'artifact_checksum_missing'),
  {
    title: 'A43 list: one bad record after a good one fails the whole',
    command: 'list',
    code: invalid,
    act: {
      'artifact-list': () => {
        printJson([listed({ id: 40 }), listed({ size: 'x' })]);
      },
    },
  },
  {
    title: 'A27 list: the first of two bad records gives the code',
    command: 'list',
    code: 'artifact_checksum_missing',
    act: {
      'artifact-list': () => {
        printJson([omit(listed({ id: 40 }), 'sha256'), listed({ size: 'x' })]);
      },
    },
  },
  {
    title: 'A51 download: a bad record beside the good one that is asked for',
    command: 'download',
    code: invalid,
    act: {
      'artifact-list': () => {
        printJson([listed(), listed({ id: 42, size: null })]);
      },
    },
  },
  answersUpload('A43 upload: a record without a checksum', (record) => omit(record, 'sha256')),
  answersUpload('A43 upload: a record without an id', (record) => omit(record, 'id')),
  answersUpload('A77 upload: an id as text', (record) => ({ ...record, id: '41' })),
  answersUpload('A77 upload: a size as text', (record) => ({ ...record, size: '2048' })),
  {
    title: 'A77 list: unknown keys are dropped, also dangerous ones',
    command: 'list',
    code: 'ok',
    act: {
      'artifact-list': () => {
        const text = JSON.stringify([listed({ secret: 'canary-5c1f0e' })]);
        print(text.replace('{', '{"__proto__":{"sha256":null},"constructor":1,'));
      },
    },
  },
];
