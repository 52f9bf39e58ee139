import { describe, expect, it } from 'vitest';
import { createParamsCheck } from '../../../../functions/executors/create-params-check.ts';
import {
  composeDocument,
  composeFile,
  findFaults,
  listFaults,
  pinned,
} from './compose-submission.ts';

const json = 'application/json';
const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const checkParams = createParamsCheck(pinned.registry);
const inputs = {
  docs: [composeFile('a.docx', docx), composeFile('b.docx', docx)],
  note: composeFile('note.txt'),
};
const declared = { inputs: { docs: { kind: 'files' }, note: { kind: 'file' } } };

const texts = {
  id: 'texts',
  operation: 'extract-text',
  for_each: 'inputs.docs',
  takes: { document: 'item' },
  gives: { text: json },
};
const index = {
  id: 'index',
  operation: 'term-index',
  takes: { texts: 'texts.text' },
  gives: { index: json },
};
const digest = {
  id: 'digest',
  operation: 'render-digest',
  takes: { digest: 'index.index' },
  gives: { html: 'text/html', docx },
};

const nodes = [texts, index, digest];
const submission = { inputs, checkParams };

function replace(id: string, change: Record<string, unknown>) {
  return nodes.map((node) => (node.id === id ? { ...node, ...change } : node));
}

function faultsOf(changed: unknown[]): string[] {
  return listFaults(composeDocument(changed, declared), submission);
}

describe('what a node takes, gives and says', () => {
  it('E14 is admitted when it fits its executor', () => {
    expect(faultsOf(nodes)).toEqual([]);
    expect(
      faultsOf(replace('index', { params: { language: 'de', top: 3, stop: ['und'] } })),
    ).toEqual([]);
    expect(faultsOf(replace('digest', { gives: { html: 'text/html' } }))).toEqual([]);
  });

  it.each([
    ['UNKNOWN_INPUT_PORT /nodes/1/takes/text', 'index', { takes: { text: 'texts.text' } }],
    ['MISSING_INPUT_PORT /nodes/1/takes/texts', 'index', { takes: {} }],
    ['MISSING_INPUT_PORT /nodes/1/takes/texts', 'index', { takes: undefined }],
    ['MISSING_INPUT_PORT /nodes/0/takes', 'texts', { takes: {} }],
    ['TOO_MANY_INPUTS /nodes/0/takes', 'texts', { takes: { document: 'item', also: 'item' } }],
    ['INPUT_IS_LIST /nodes/0/takes/document', 'texts', { takes: { document: 'inputs.docs' } }],
    ['INPUT_IS_LIST /nodes/2/takes/digest', 'digest', { takes: { digest: 'texts.text' } }],
    [
      'INPUT_PORT_MEDIA_TYPE /nodes/0/takes/document',
      'texts',
      { takes: { document: 'inputs.note' } },
    ],
    ['INPUT_PORT_MEDIA_TYPE /nodes/1/takes/texts', 'index', { takes: { texts: 'inputs.note' } }],
    ['UNKNOWN_OUTPUT_PORT /nodes/2/gives/page', 'digest', { gives: { page: 'text/html' } }],
    ['OUTPUT_MEDIA_TYPE /nodes/2/gives/html', 'digest', { gives: { html: docx } }],
    ['TOO_MANY_OUTPUTS /nodes/0/gives', 'texts', { gives: { text: json, more: json } }],
    ['MISSING_OUTPUT /nodes/2/gives', 'digest', { gives: {} }],
    ['PARAMS_INVALID /nodes/1/params/langauge', 'index', { params: { langauge: 'en' } }],
    ['PARAMS_INVALID /nodes/1/params/language', 'index', { params: { language: 'xx' } }],
    ['PARAMS_INVALID /nodes/1/params/top', 'index', { params: { top: 101 } }],
    ['PARAMS_INVALID /nodes/1/params/stop/0', 'index', { params: { stop: [''] } }],
    ['PARAMS_INVALID /nodes/2/params/title', 'digest', { params: { title: '' } }],
    ['PARAMS_INVALID /nodes/0/params/pages', 'texts', { params: { pages: 1 } }],
  ])('E14 refuses %s', (fault, id, change) => {
    expect(faultsOf(replace(id, change))).toContain(fault);
  });

  it('E14 suggests the parameter that was meant', () => {
    const [fault] = findFaults(
      composeDocument(replace('index', { params: { langauge: 'en' } }), declared),
      submission,
    );
    expect(fault).toMatchObject({ value: '"en"' });
    expect(fault?.fix).toContain('did you mean "language"?');
  });

  it('E14 refuses a list where an executor wants one, and says how to take one of it', () => {
    const [fault] = findFaults(
      composeDocument(replace('texts', { takes: { document: 'inputs.docs' } }), declared),
      submission,
    );
    expect(fault?.fix).toBe('Give the node for_each: inputs.docs and take item.');
  });

  it('has a signature of every executor of the registry', () => {
    const { executors, signatures } = pinned.registry;
    expect(Object.keys(signatures).sort()).toEqual(executors.map(({ id }) => id).sort());
  });
});

describe('a schema for validate', () => {
  const check = (change: Record<string, unknown>) =>
    faultsOf([
      ...nodes,
      { id: 'check', operation: 'validate', gives: { report: json }, ...change },
    ]);
  const params = { schema: { type: 'object' } };

  it('E14 is given once, and beside something to validate', () => {
    expect(check({ takes: { data: 'index.index' }, params })).toEqual([]);
    expect(check({ takes: { data: 'index.index', schema: 'inputs.note' } })).toEqual([]);
    expect(check({ takes: { data: 'index.index' } })).toEqual([
      'PARAMS_INVALID /nodes/3/params/schema',
    ]);
    expect(check({ takes: { data: 'index.index', schema: 'inputs.note' }, params })).toEqual([
      'PARAMS_INVALID /nodes/3/params/schema',
    ]);
    expect(check({ takes: { schema: 'inputs.note' } })).toEqual(['PARAMS_INVALID /nodes/3/params']);
  });
});

describe('the item of a list', () => {
  const many = (for_each: unknown, params: unknown) =>
    replace('index', { for_each, params }).slice(0, 2);

  it('E14 stands where {{item}} is, and every item is checked', () => {
    expect(faultsOf(many(['en', 'de'], { language: '{{item}}' }))).toEqual([]);
    expect(faultsOf(many(['en', 'xx'], { language: '{{item}}' }))).toEqual([
      'PARAMS_INVALID /nodes/1/params/language',
    ]);
    expect(faultsOf(many([1, 2], { top: '{{item}}' }))).toEqual([]);
    expect(faultsOf(many([1, 2], {}))).toEqual([]);
  });

  it('E14 is refused where there is none', () => {
    expect(faultsOf(many(undefined, { language: '{{item}}' }))).toEqual([
      'PARAMS_INVALID /nodes/1/params',
    ]);
  });
});

describe('the time of a function', () => {
  const slow = (operation: string, seconds: number) =>
    operation === 'transform'
      ? [
          {
            id: 'a',
            operation,
            gives: { out: json },
            params: { expression: '1' },
            timeout_seconds: seconds,
          },
        ]
      : replace('index', { timeout_seconds: seconds });

  it('p26 ends before its Lambda does; a task has longer', () => {
    const at = (id: number) => `OVER_LIMIT /nodes/${String(id)}/timeout_seconds`;
    expect(faultsOf(slow('transform', 890))).not.toContain(at(0));
    expect(faultsOf(slow('transform', 891))).toContain(at(0));
    expect(faultsOf(slow('term-index', 3_600))).toEqual([]);
  });
});
