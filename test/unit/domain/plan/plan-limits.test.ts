import { describe, expect, it } from 'vitest';
import { limits } from '../../../../schemas/limits.ts';
import {
  composeDocument,
  composeFile,
  composeNode,
  findFaults,
  listFaults,
  submit,
  unsigned,
} from './compose-submission.ts';

const node = composeNode;

function repeat<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function expectLimit(name: string, document: unknown, inputs = {}): void {
  const over = findFaults(document, { inputs }).filter((fault) => fault.code === 'OVER_LIMIT');
  expect(over.map((fault) => fault.message).join()).toContain(name);
}

describe('a plan at its limits', () => {
  it.each([
    ['parallelism', 'runParallelism', limits.runParallelism],
    ['max_attempts', 'actionAttempts', limits.actionAttempts],
  ] as const)('policy.%s may be %s, and no more', (field, limit, most) => {
    const within = composeDocument([node('a')], { policy: { [field]: most } });
    expect(listFaults(within)).toEqual([]);
    const [fault] = findFaults(composeDocument([node('a')], { policy: { [field]: most + 1 } }));
    expect(fault).toMatchObject({ code: 'OVER_LIMIT', path: `/policy/${field}` });
    expect(fault?.message).toContain(`${limit} (${String(most)})`);
  });

  it('planNodes: 10,000 nodes pass, one more does not, as written and by for_each', () => {
    const most = limits.planNodes;
    expect(
      submit(composeDocument([node('a', { for_each: repeat(most, (index) => index) })])).kind,
    ).toBe('ADMITTED');
    expectLimit(
      'planNodes',
      composeDocument([node('a', { for_each: repeat(most, (index) => index) }), node('b')]),
    );
    expectLimit(
      'planNodes',
      composeDocument(repeat(most + 1, (index) => node(`n${String(index)}`))),
    );
  });

  it('nodeEdges counts files and nodes of for_each one by one', () => {
    const fanIn = (count: number) =>
      composeDocument([
        node('a', { for_each: repeat(count, (index) => index) }),
        node('b', { takes: { x: 'a.out' } }),
      ]);
    expect(listFaults(fanIn(limits.nodeEdges))).toEqual([]);
    expect(listFaults(fanIn(limits.nodeEdges + 1))).toEqual(['OVER_LIMIT /nodes/1']);
  });

  it('planEdges bounds all of them together', () => {
    const fanOut = (count: number) =>
      composeDocument([
        node('a', { for_each: repeat(200, (index) => index) }),
        node('b', { for_each: repeat(count, (index) => index), takes: { x: 'a.out' } }),
      ]);
    expect(listFaults(fanOut(500))).toEqual([]);
    expectLimit('planEdges', fanOut(501));
  });

  it('nodeParamsBytes and expandedPlanBytes bound what for_each multiplies', () => {
    const text = (bytes: number) => ({ params: { text: 'x'.repeat(bytes) } });
    expect(listFaults(composeDocument([node('a', text(limits.nodeParamsBytes - 20))]))).toEqual([]);
    expectLimit('nodeParamsBytes', composeDocument([node('a', text(limits.nodeParamsBytes))]));
    const many = { for_each: repeat(2_000, (index) => index), ...text(20_000) };
    expectLimit('expandedPlanBytes', composeDocument([node('a', many)]));
  });

  it('nodeOutputs and nodeOutputNameBytes bound what one node gives', () => {
    const gives = (count: number, filename?: string) => ({
      gives: Object.fromEntries(
        repeat(count, (index) => [
          `out-${String(index)}`,
          {
            media_type: 'application/json',
            ...(filename === undefined ? {} : { filename: `${String(index)}${filename}` }),
          },
        ]),
      ),
    });
    expect(listFaults(composeDocument([node('a', gives(limits.nodeOutputs))]), unsigned)).toEqual(
      [],
    );
    const over = findFaults(composeDocument([node('a', gives(limits.nodeOutputs + 1))]), unsigned);
    expect(over.map(({ code, path, value }) => ({ code, path, value }))).toEqual([
      { code: 'OVER_LIMIT', path: '/nodes/0/gives', value: '9' },
    ]);
    expectLimit('nodeOutputs', composeDocument([node('a', gives(limits.nodeOutputs + 1))]));
    expect(listFaults(composeDocument([node('a', gives(2, 'x'.repeat(250)))]), unsigned)).toEqual(
      [],
    );
    expectLimit('nodeOutputNameBytes', composeDocument([node('a', gives(6, 'x'.repeat(250)))]));
  });

  it('runInputFiles and attachmentBytes bound the files of the run', () => {
    const document = composeDocument([node('a')], { inputs: { docs: { kind: 'files' } } });
    const docs = repeat(limits.runInputFiles, (index) => composeFile(String(index)));
    expect(listFaults(document, { inputs: { docs } })).toEqual([]);
    expectLimit('runInputFiles', document, { docs: [...docs, composeFile('x')] });
    expectLimit('attachmentBytes', document, {
      docs: [{ ...composeFile('x'), size: limits.attachmentBytes + 1 }],
    });
  });

  it('documentDepth: neither nesting nor a ring of aliases overflows anything', () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    expectLimit('documentDepth', composeDocument([node('a', { params: { deep } })]));
    const ring: Record<string, unknown> = {};
    ring['ring'] = ring;
    expectLimit('documentDepth', composeDocument([node('a', { params: ring })]));
  });

  it('documentValues: aliases that multiply are counted each time', () => {
    let bomb: unknown = repeat(10, () => 1);
    for (let level = 0; level < 8; level += 1) bomb = repeat(10, () => bomb);
    expectLimit('documentValues', composeDocument([node('a', { params: { bomb } })]));
  });

  it('refuses __proto__ as a name anywhere', () => {
    const document: unknown = JSON.parse(
      JSON.stringify(composeDocument([node('a', { params: { inner: { PROTO: 1 } } })])).replace(
        'PROTO',
        '__proto__',
      ),
    );
    expect(listFaults(document)).toEqual(['FORBIDDEN_NAME /nodes/0/params/inner/__proto__']);
  });

  it.each([
    ['half a character', 'a\ud800b'],
    ['a number beyond all others', Infinity],
    ['no number', NaN],
    ['bytes of a YAML tag', Buffer.from('words')],
    ['a set of a YAML tag', new Set(['a'])],
    ['a map of a YAML tag', new Map([['a', 1]])],
    ['a date', new Date(0)],
  ])('refuses what has no digest, with its place: %s', (_, value) => {
    expect(listFaults(composeDocument([node('a', { params: { in: [1, value] } })]))).toEqual([
      'FORBIDDEN_VALUE /nodes/0/params/in/1',
    ]);
  });

  it('E16 refuses an integer that reading has rounded, and takes the last one that is exact', () => {
    const give = (value: number) =>
      listFaults(composeDocument([node('a', { params: { in: [1, value] } })]));
    for (const value of [2 ** 53, -(2 ** 53), Number('12345678901234567890'), 1e300]) {
      expect(give(value)).toEqual(['FORBIDDEN_VALUE /nodes/0/params/in/1']);
    }
    for (const value of [2 ** 53 - 1, 1 - 2 ** 53, 0.1, 1e-300]) expect(give(value)).toEqual([]);
  });

  it('refuses half a character in a name and in the text of a plan, and takes whole ones', () => {
    const named = (name: string) => composeDocument([node('a', { params: { [name]: '🌊' } })]);
    expect(listFaults(named('a\udc00'))).toEqual(['FORBIDDEN_VALUE /nodes/0/params']);
    expect(listFaults('windlass: 1 # \ud800')).toEqual(['FORBIDDEN_VALUE ']);
    expect(listFaults(named('🌊'))).toEqual([]);
  });

  it('p41 takes a chain of 10,000 nodes and 100,000 edges without recursion', () => {
    const chain = repeat(10_000, (index) =>
      node(`n${String(index)}`, {
        after: repeat(Math.min(index, 10), (back) => `n${String(index - 1 - back)}`),
      }),
    );
    expect(submit(composeDocument(chain)).kind).toBe('ADMITTED');
    chain[0] = node('n0', { after: ['n9999'] });
    expect(listFaults(composeDocument(chain))).toContain('CYCLE /nodes/0');
  });

  it('looks for names like the unknown ones only among the faults that are shown', () => {
    const fields = repeat(201, (index): [string, number] => [`nodez${index.toString(36)}`, 1]);
    const faults = findFaults(composeDocument([node('a')], Object.fromEntries(fields)));
    expect(faults[199]?.fix).toContain('did you mean "nodes"?');
    expect(faults[200]?.fix).not.toContain('did you mean');
  });

  it('survives a node with more faults than a call takes arguments', () => {
    const after = repeat(200_000, (index) => index);
    expect(findFaults(composeDocument([node('a', { after })])).length).toBe(200_000);
  });

  it.each([null, undefined, 1, 'text', [], new Date(0), { nodes: 5 }, { nodes: [null, 1, []] }])(
    'refuses %j without breaking',
    (document) => {
      expect(submit(document).kind).toBe('REFUSED');
    },
  );
});
