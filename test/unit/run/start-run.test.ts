import { describe, expect, it } from 'vitest';
import { RetryableError } from '../../../functions/ports/errors.ts';
import { composeDocument, composeNode } from '../domain/plan/compose-submission.ts';
import {
  caller,
  createStartScenario,
  goodPlan,
  listTraces,
  noTraces,
  start,
  type StartScenario,
} from './start-scenario.ts';

function dieAt({ ports }: StartScenario, operation: string, moment: 'before' | 'after'): void {
  ports.table.interruption = (reached, at) => {
    if (reached !== operation || at !== moment) return;
    ports.table.interruption = undefined;
    throw new RetryableError('lost');
  };
}

describe('startRun', () => {
  it('starts a run: its head, its first message, its plan and its workflow', async () => {
    const scenario = await createStartScenario();
    const answer = await start(scenario);
    expect(answer).toMatchObject({ kind: 'STARTED', status: 'STARTING', nodes: 2 });
    const runId = answer.kind === 'STARTED' ? answer.runId : '';
    const head = scenario.ports.table.heads.get(runId);
    expect(head).toMatchObject({ board: 'harbour', startedBy: caller, generation: 1, seq: 0 });
    expect(scenario.ports.documents.documents.has(`plans/sha256/${head?.planSha256 ?? ''}`)).toBe(
      true,
    );
    expect([...(scenario.ports.table.messages.get(runId)?.values() ?? [])]).toMatchObject([
      { type: 'START', planSha256: head?.planSha256, startedBy: caller },
    ]);
    expect([...scenario.ports.workflows.executions.keys()]).toEqual([`run/${runId}-1`]);
  });

  it('p3 p4 answers the same key and body with the first run and its present status', async () => {
    const scenario = await createStartScenario();
    const first = await start(scenario);
    const runId = first.kind === 'STARTED' ? first.runId : '';
    const head = scenario.ports.table.heads.get(runId);
    if (head === undefined) throw new Error('no head');
    scenario.ports.table.heads.set(runId, { ...head, status: 'SUCCEEDED', seq: 9 });
    expect(await start(scenario)).toEqual({ ...first, kind: 'REPLAYED', status: 'SUCCEEDED' });
    expect(scenario.ports.table.heads.size).toBe(1);
  });

  it('refuses half a character in the plan and in a file of the run, and starts nothing', async () => {
    const scenario = await createStartScenario();
    const plan = composeDocument([composeNode('a', { params: { text: '\ud800' } })]);
    const inputs = { notes: { ...scenario.upload('notes.txt'), filename: '\udc00.txt' } };
    expect(await start(scenario, { body: { plan, inputs } })).toMatchObject({
      kind: 'REFUSED',
      faults: [{ path: '/nodes/0/params/text' }, { path: '/inputs/notes/filename' }],
    });
    expect(listTraces(scenario)).toEqual(noTraces);
  });

  it('p3 tells another body under the same key, and starts nothing', async () => {
    const scenario = await createStartScenario();
    const first = await start(scenario);
    const traces = listTraces(scenario);
    const other = composeDocument([composeNode('c')]);
    expect(await start(scenario, { body: { plan: other } })).toEqual({
      kind: 'BODY_DIFFERS',
      runId: first.kind === 'STARTED' ? first.runId : '',
    });
    expect(await start(scenario, { body: { plan: JSON.stringify(goodPlan) } })).toMatchObject({
      kind: 'BODY_DIFFERS',
    });
    expect(listTraces(scenario)).toEqual(traces);
  });

  it('p3 takes the fields of a body in any order for the same body', async () => {
    const scenario = await createStartScenario();
    await start(scenario);
    const reordered = Object.fromEntries(Object.entries(goodPlan).reverse());
    expect(await start(scenario, { body: { plan: reordered } })).toMatchObject({
      kind: 'REPLAYED',
    });
  });

  it('p3 E20 keeps the keys of other callers and other boards apart', async () => {
    const scenario = await createStartScenario();
    const answers = [
      await start(scenario),
      await start(scenario, { caller: `${caller}-2` }),
      await start(scenario, { board: 'quay' }),
      await start(scenario, { idempotencyKey: 'other' }),
    ];
    const runs = answers.map((answer) => (answer.kind === 'STARTED' ? answer.runId : answer.kind));
    expect(new Set(runs).size).toBe(4);
    expect(scenario.ports.table.heads.size).toBe(4);
  });

  it('p3 makes one run of twenty starts at once', async () => {
    const scenario = await createStartScenario();
    const answers = await Promise.all(Array.from({ length: 20 }, () => start(scenario)));
    const kinds = answers.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'STARTED')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'REPLAYED')).toHaveLength(19);
    expect(new Set(answers.map((answer) => ('runId' in answer ? answer.runId : ''))).size).toBe(1);
    expect(listTraces(scenario)).toEqual({
      starts: 1,
      heads: 1,
      messages: 1,
      documents: 1,
      executions: 1,
    });
  });

  it('p3 refuses one of two bodies that come at once under one key', async () => {
    const scenario = await createStartScenario();
    const other = { plan: composeDocument([composeNode('c')]) };
    const kinds = (await Promise.all([start(scenario), start(scenario, { body: other })])).map(
      ({ kind }) => kind,
    );
    expect(kinds.sort()).toEqual(['BODY_DIFFERS', 'STARTED']);
    expect(scenario.ports.table.heads.size).toBe(1);
  });

  it.each<[string, string | Record<string, unknown>]>([
    [
      'a plan with a cycle',
      composeDocument([composeNode('a', { after: ['b'] }), composeNode('b', { after: ['a'] })]),
    ],
    ['a plan without a budget', { ...goodPlan, budget: undefined }],
    ['text that is no YAML', 'a: [1'],
    ['nesting that would overflow a reader', { ...goodPlan, deep: nest(100_000) }],
  ])('refuses %s and stores nothing', async (_name, plan) => {
    const scenario = await createStartScenario();
    const body = { plan: typeof plan === 'string' ? plan : dropUndefined(plan) };
    const answer = await start(scenario, { body });
    expect(answer.kind).toBe('REFUSED');
    expect(answer.kind === 'REFUSED' ? answer.faults.length : 0).toBeGreaterThan(0);
    expect(listTraces(scenario)).toEqual(noTraces);
  });

  it('names the faults of the plan and of the files together', async () => {
    const scenario = await createStartScenario();
    const plan = composeDocument(
      [
        composeNode('a', { operation: 'nonsense' }),
        composeNode('b', { takes: { x: 'inputs.doc' } }),
      ],
      { inputs: { doc: { kind: 'file' } } },
    );
    const inputs = { doc: { key: 'uploads/harbour/nothing' } };
    const answer = await start(scenario, { body: { plan, inputs } });
    const codes = answer.kind === 'REFUSED' ? answer.faults.map(({ code }) => code) : [];
    expect(codes).toHaveLength(2);
    expect(codes[0]).toBe('INPUT_MISSING');
    expect(listTraces(scenario)).toEqual(noTraces);
  });

  it('can be tried again under the same key after a refusal', async () => {
    const scenario = await createStartScenario();
    await start(scenario, { body: { plan: 'a: [1' } });
    expect(await start(scenario)).toMatchObject({ kind: 'STARTED' });
  });

  it.each([
    ['runStarts.begin', 'after'],
    ['workflows.startRun', 'before'],
    ['workflows.startRun', 'after'],
    ['runLog.readHead', 'before'],
  ] as const)(
    'p3 repairs a start that broke at %s (%s) when it is repeated',
    async (operation, moment) => {
      const scenario = await createStartScenario();
      dieAt(scenario, operation, moment);
      await expect(start(scenario)).rejects.toThrow('lost');
      expect(await start(scenario)).toMatchObject({ kind: 'REPLAYED' });
      expect(listTraces(scenario)).toMatchObject({ starts: 1, heads: 1, executions: 1 });
    },
  );

  it('does not start a workflow again for a run that has moved on', async () => {
    const scenario = await createStartScenario();
    const first = await start(scenario);
    const runId = first.kind === 'STARTED' ? first.runId : '';
    const head = scenario.ports.table.heads.get(runId);
    if (head === undefined) throw new Error('no head');
    scenario.ports.table.heads.set(runId, { ...head, seq: 3, generation: 4 });
    await start(scenario);
    expect([...scenario.ports.workflows.executions.keys()]).toEqual([`run/${runId}-1`]);
  });
});

function nest(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

function dropUndefined(plan: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(plan).filter(([, value]) => value !== undefined));
}
