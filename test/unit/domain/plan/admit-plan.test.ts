import { describe, expect, it } from 'vitest';
import { findSchemaFault } from '../../../../functions/executors/find-schema-fault.ts';
import type { PlanSubmission } from '../../../../functions/domain/plan/plan-context.ts';
import {
  composeDocument,
  composeFile,
  composeNode,
  findFaults,
  listFaults,
  pinned,
  submit,
} from './compose-submission.ts';

const node = composeNode;
const files = { inputs: { docs: { kind: 'files' } } };

const listFixes = (...submission: Parameters<typeof submit>) =>
  findFaults(...submission).map(({ fix }) => fix);

describe('a plan', () => {
  it('E14 is admitted when nothing is wrong with it', () => {
    const document = composeDocument([
      node('a'),
      node('b', { takes: { x: 'a.out' }, after: ['a'] }),
    ]);
    expect(submit(document).kind).toBe('ADMITTED');
  });

  it('E8 names the nodes of a cycle in order, one cycle a knot', () => {
    const document = composeDocument([
      node('c', { takes: { x: 'b.out' } }),
      node('a', { takes: { x: 'c.out' } }),
      node('b', { takes: { x: 'a.out' } }),
      node('p', { after: ['q'] }),
      node('q', { after: ['p'] }),
      node('free', { after: ['a'] }),
    ]);
    const faults = findFaults(document);
    expect(faults.map((fault) => [fault.code, fault.path])).toEqual([
      ['CYCLE', '/nodes/1'],
      ['CYCLE', '/nodes/3'],
    ]);
    expect(faults[0]?.message).toContain('a → b → c → a');
    expect(faults[0]?.value).toBe('["a","b","c"]');
  });

  it('E8 refuses a node that waits for itself, in takes and in after', () => {
    const document = composeDocument([node('a', { takes: { x: 'a.out' }, after: ['a'] })]);
    expect(listFaults(document)).toEqual([
      'SELF_EDGE /nodes/0/takes/x',
      'SELF_EDGE /nodes/0/after/0',
    ]);
  });

  it('suggests the nearest name', () => {
    const [unknown] = findFaults(
      composeDocument([node('extract'), node('b', { after: ['extrat'] })]),
    );
    expect(unknown).toMatchObject({
      code: 'UNKNOWN_NODE',
      path: '/nodes/1/after/0',
      value: '"extrat"',
    });
    expect(unknown?.fix).toContain('did you mean "extract"?');
  });

  it.each([
    ['UNKNOWN_OUTPUT /nodes/1/takes/x', [node('a'), node('b', { takes: { x: 'a.output' } })]],
    ['UNKNOWN_OUTPUT /nodes/1/takes/x', [node('a'), node('b', { takes: { x: 'a.constructor' } })]],
    ['UNKNOWN_INPUT /nodes/0/takes/x', [node('a', { takes: { x: 'inputs.nothing' } })]],
    ['UNKNOWN_INPUT /nodes/0/takes/x', [node('a', { takes: { x: 'inputs.constructor' } })]],
    ['DUPLICATE_ID /nodes/1/id', [node('a'), node('a')]],
    ['DUPLICATE_ID /nodes/0/id', [node('a', { for_each: [1] }), node('a-0001')]],
    ['EMPTY_PLAN /nodes', []],
    ['BAD_ID /nodes/0/id', [node('A b')]],
    ['BAD_ID /nodes/0/id', [node('1')]],
    ['BAD_ID /nodes/0/id', [node('__proto__')]],
    ['BAD_ID /nodes/0/id', [{ ...node('a'), id: 7 }]],
    ['LONG_ID /nodes/0/id', [node('a'.repeat(41))]],
    ['RESERVED_ID /nodes/0/id', [node('inputs')]],
    ['UNKNOWN_OPERATION /nodes/0/operation', [node('a', { operation: 'transfrm' })]],
    ['UNKNOWN_OPERATION /nodes/0/operation', [node('a', { operation: 'constructor' })]],
    ['UNKNOWN_EXECUTOR /nodes/0/executors/0', [node('a', { executors: ['transfrm'] })]],
    ['EXECUTOR_CANNOT /nodes/0/executors/0', [node('a', { executors: ['merge'] })]],
    ['OUTPUT_MEDIA_TYPE /nodes/0/gives/out', [node('a', { gives: { out: 'image/png' } })]],
    ['EXECUTOR_CANNOT /nodes/0/operation', [node('a', { action: 'DECIDE' })]],
    ['ITEM_OUTSIDE_FOR_EACH /nodes/0/takes/x', [node('a', { takes: { x: 'item' } })]],
    [
      'ITEM_OUTSIDE_FOR_EACH /nodes/0/takes/x',
      [node('a', { for_each: [1], takes: { x: 'item' } })],
    ],
    [
      'ITEM_OUTSIDE_FOR_EACH /nodes/1/takes/x',
      [node('a', { for_each: [1] }), node('b', { takes: { x: 'a[item].out' } })],
    ],
    [
      'ITEM_MISMATCH /nodes/1/takes/x',
      [node('a', { for_each: [1] }), node('b', { for_each: [2], takes: { x: 'a[item].out' } })],
    ],
    [
      'ITEM_MISMATCH /nodes/1/takes/x',
      [node('a'), node('b', { for_each: [2], takes: { x: 'a[item].out' } })],
    ],
    [
      'ACCEPT_UNKNOWN_OUTPUT /nodes/0/contract/accept/0/output',
      [node('a', { contract: { accept: [{ check: 'not_empty', output: 'no' }] } })],
    ],
    [
      'BAD_FILENAME /nodes/0/gives/out/filename',
      [node('a', { gives: { out: { media_type: 'text/plain', filename: '../x' } } })],
    ],
    ['BAD_NAME /nodes/0/takes/Bad', [node('a', { takes: { Bad: 'item' } })]],
    ['UNKNOWN_FIELD /nodes/0/opration', [node('a', { opration: 'x' })]],
    ['MISSING_FIELD /nodes/0/gives', [{ id: 'a', operation: 'transform' }]],
    ['WRONG_TYPE /nodes/0', [null]],
    ['PARAMS_INVALID /nodes/0/params/item', [node('a', { for_each: [1], params: { item: 2 } })]],
    [
      'BUDGET_TOO_SMALL /nodes/0/budget/COMPUTE_COST',
      [node('a', { budget: { COMPUTE_COST: '0.000001 USD' } })],
    ],
    ['OVER_LIMIT /nodes/0/timeout_seconds', [node('a', { timeout_seconds: 3601 })]],
  ])('E14 refuses %s', (fault, nodes) => {
    expect(listFaults(composeDocument(nodes))).toContain(fault);
  });

  it.each([
    ['a type that is none', { type: 'txt' }],
    ['a pattern that is none', { pattern: '(' }],
    ['a rule that is misspelt', { minLenght: 1 }],
    ['a schema elsewhere', { $ref: 'http://example.com/schema' }],
    ['one that is asked later', { $async: true, type: 'string' }],
  ])('E14 refuses a contract whose JSON Schema checks nothing: %s', (_, schema) => {
    const accepting = (use: unknown) =>
      composeDocument([
        node('a', { contract: { accept: [{ check: 'json_schema', output: 'out', schema: use }] } }),
      ]);
    expect(listFaults(accepting(schema), { findSchemaFault })).toEqual([
      'ACCEPT_BAD_SCHEMA /nodes/0/contract/accept/0/schema',
    ]);
    expect(listFaults(accepting({ type: 'string' }), { findSchemaFault })).toEqual([]);
  });

  it('p26 refuses a plan without a budget, or with a part of one', () => {
    const { budget, ...without } = composeDocument([node('a')]);
    expect(budget).toBeDefined();
    expect(listFaults(without)).toEqual(['NO_BUDGET /budget']);
    const part = composeDocument([node('a')], { budget: { COMPUTE_COST: '1 USD', ATTEMPTS: 5 } });
    expect(listFaults(part)).toEqual(['NO_BUDGET /budget/WALL_SECONDS']);
    expect(listFixes(part)).toEqual(['Write WALL_SECONDS: 3600 with the limit you want.']);
  });

  it('E60 refuses a budget of which not one attempt of a node, or not one of each node, can be paid', () => {
    const budget = { COMPUTE_COST: '1000 USD', ATTEMPTS: 1, WALL_SECONDS: 119 };
    expect(listFaults(composeDocument([node('a'), node('b')], { budget }))).toEqual([
      'BUDGET_TOO_SMALL /nodes/0',
      'BUDGET_TOO_SMALL /nodes/1',
      'BUDGET_TOO_SMALL /budget/ATTEMPTS',
    ]);
    const enough = { COMPUTE_COST: '1000 USD', ATTEMPTS: 2, WALL_SECONDS: 120 };
    expect(listFaults(composeDocument([node('a'), node('b')], { budget: enough }))).toEqual([]);
  });

  it('p24 refuses an executor without a price, pinned or not', () => {
    const prices = { ...pinned.prices, prices: {} };
    expect(listFaults(composeDocument([node('a')]), { prices })).toEqual([
      'UNPRICED_EXECUTOR /nodes/0/operation',
    ]);
    const document = composeDocument([node('a', { executors: ['transform'] })]);
    expect(listFaults(document, { prices })).toEqual(['UNPRICED_EXECUTOR /nodes/0/executors/0']);
  });

  it('refuses files that do not fit the inputs', () => {
    const document = composeDocument([node('a')], {
      inputs: {
        one: { kind: 'file' },
        docs: { kind: 'files', media_types: ['text/csv'] },
        gone: { kind: 'file' },
      },
    });
    const inputs = {
      one: [composeFile('1'), composeFile('2')],
      docs: [composeFile('ok.csv', 'text/csv'), composeFile('bad.txt')],
      more: composeFile('x'),
    };
    expect(listFaults(document, { inputs })).toEqual([
      'INPUT_MISSING /inputs/gone',
      'INPUT_KIND /inputs/one',
      'INPUT_MEDIA_TYPE /inputs/docs/1',
      'INPUT_UNEXPECTED /inputs/more',
    ]);
    expect(listFaults(document, { inputs, inputsField: 'run_inputs' })[0]).toBe(
      'INPUT_MISSING /run_inputs/gone',
    );
    expect(listFixes(document, { inputs })[2]).toContain('--media-type docs=text/csv');
    expect(listFixes(document, { inputs, inputsField: 'run_inputs' })[2]).toContain(
      'media_type: text/csv beside its key',
    );
  });

  it('refuses for_each over an input that is one file', () => {
    const document = composeDocument(
      [node('a', { for_each: 'inputs.docs', takes: { x: 'item' } })],
      { inputs: { docs: { kind: 'file' } } },
    );
    expect(listFaults(document, { inputs: { docs: composeFile('x') } })).toEqual([
      'FOR_EACH_NOT_FILES /nodes/0/for_each',
    ]);
    const many = { ...document, ...files };
    expect(listFaults(many, { inputs: { docs: [composeFile('x')] } })).toEqual([]);
  });

  it('A30 refuses a name that the number of an item makes too long', () => {
    const longest = (bytes: number) => `${'x'.repeat(bytes - '.json'.length)}.json`;
    const named = (filename: string) =>
      node('a', { for_each: [1], gives: { out: { media_type: 'application/json', filename } } });
    const fits = longest(255 - '-0001'.length);
    expect(listFaults(composeDocument([named(fits)]))).toEqual([]);
    expect(listFaults(composeDocument([named(`x${fits}`)]))).toEqual([
      'BAD_FILENAME /nodes/0/gives/out',
    ]);
    const deliverables = [{ from: 'a.out', filename: `x${fits}` }];
    expect(listFaults(composeDocument([named('a.json')], { deliverables }))).toEqual([
      'BAD_FILENAME /deliverables/0/filename',
    ]);
  });

  it('refuses two deliverables of one name, in any letter case', () => {
    const nodes = [node('a'), node('b')];
    const deliverables = [
      { from: 'a.out', filename: 'Result.json' },
      { from: 'b.out', filename: 'result.JSON' },
      { from: 'inputs.docs' },
      { from: 'c.out' },
      { from: 'b.nothing', filename: '.hidden' },
    ];
    expect(listFaults(composeDocument(nodes, { deliverables }))).toEqual([
      'DELIVERABLE_NOT_OUTPUT /deliverables/2/from',
      'UNKNOWN_NODE /deliverables/3/from',
      'UNKNOWN_OUTPUT /deliverables/4/from',
      'DUPLICATE_DELIVERABLE_NAME /deliverables/1/filename',
    ]);
  });

  it('reports what the operation says of the params', () => {
    const wrong = {
      path: '/n',
      code: 'PARAMS_INVALID',
      value: '2',
      message: 'n is not 1',
      fix: 'Write 1.',
    };
    const checkParams: PlanSubmission['checkParams'] = ({ operation, params }) =>
      operation === 'transform' && JSON.stringify(params) === '{"n":1}' ? [] : [wrong];
    expect(listFaults(composeDocument([node('a', { params: { n: 1 } })]), { checkParams })).toEqual(
      [],
    );
    expect(
      findFaults(composeDocument([node('a', { params: { n: 2 } })]), { checkParams })[0],
    ).toMatchObject({
      code: 'PARAMS_INVALID',
      path: '/nodes/0/params/n',
      message: 'node "a": n is not 1',
    });
  });

  it('names the faults of shape and of meaning in one answer, those of badly shaped nodes too', () => {
    const document = {
      ...composeDocument([
        node('a', { takes: { x: 'c.out' } }),
        node('b', { takes: { x: 'a.out', y: 'gone.out' }, wrong: 1 }),
        node('c', { takes: { x: 'b.out' }, timeout_seconds: 0 }),
      ]),
      name: 'No Name',
    };
    expect(listFaults(document)).toEqual([
      'BAD_VALUE /name',
      'UNKNOWN_FIELD /nodes/1/wrong',
      'BAD_VALUE /nodes/2/timeout_seconds',
      'UNKNOWN_NODE /nodes/1/takes/y',
      'CYCLE /nodes/0',
    ]);
  });
});
