import { describe, expect, it } from 'vitest';
import { limits } from '../../../schemas/limits.ts';
import { RetryableError } from '../../../functions/ports/errors.ts';
import { startDroppedRun } from '../../../functions/use-cases/run/start-dropped-run.ts';
import { composeDocument, composeNode } from '../domain/plan/compose-submission.ts';
import {
  createStartScenario,
  goodPlan,
  listTraces,
  noTraces,
  type StartScenario,
} from './start-scenario.ts';

const key = 'inbox/harbour/plan.yaml';

interface Drop {
  key?: string;
  versionId?: string;
  text?: string;
}

/** The event of one version of a dropped plan. */
function drop(scenario: StartScenario, changes: Drop = {}) {
  const event = { bucket: 'drops', key: changes.key ?? key, versionId: changes.versionId ?? 'v1' };
  const place = `${event.key}@${event.versionId}`;
  if (changes.text !== undefined || !scenario.ports.planDrops.drops.has(place)) {
    scenario.ports.planDrops.drops.set(place, changes.text ?? JSON.stringify(goodPlan));
  }
  return startDroppedRun(scenario.dependencies, event);
}

function readAnswer({ ports }: StartScenario, place = `${key}@v1`): unknown {
  const text = ports.planDrops.answers.get(place);
  return text === undefined ? undefined : JSON.parse(text);
}

describe('startDroppedRun', () => {
  it('starts a run and answers beside the plan', async () => {
    const scenario = await createStartScenario();
    const answer = await drop(scenario);
    expect(answer).toMatchObject({ kind: 'STARTED', nodes: 2 });
    expect(readAnswer(scenario)).toEqual(answer);
    const runId = answer.kind === 'STARTED' ? answer.run_id : '';
    expect(scenario.ports.table.heads.get(runId)).toMatchObject({
      board: 'harbour',
      startedBy: `drop:${key}`,
    });
    expect([...scenario.ports.workflows.executions.keys()]).toEqual([`run/${runId}-1`]);
  });

  it('p1 p6 makes one run of five events of one version, one after the other or at once', async () => {
    const scenario = await createStartScenario();
    const first = await drop(scenario);
    const others = await Promise.all(Array.from({ length: 4 }, () => drop(scenario)));
    expect(others).toEqual([first, first, first, first]);
    expect(listTraces(scenario)).toMatchObject({ starts: 1, heads: 1, executions: 1 });
    expect(scenario.ports.planDrops.answers.size).toBe(1);
  });

  it('p1 starts another run for another version, another key and another bucket', async () => {
    const scenario = await createStartScenario();
    await drop(scenario);
    await drop(scenario, { versionId: 'v2' });
    await drop(scenario, { key: 'inbox/harbour/other.yaml' });
    await startDroppedRun(scenario.dependencies, { bucket: 'drops-2', key, versionId: 'v1' });
    expect(scenario.ports.table.heads.size).toBe(4);
  });

  it.each([
    'inbox/harbour/my plan.yaml',
    'inbox/harbour/a+b.yaml',
    'inbox/harbour/a%2Bb.yaml',
    'inbox/harbour/Übersicht – Q1.yaml',
    'inbox/harbour/deeper/still/plan.yaml',
  ])('p6 takes the key %s as it is', async (oddKey) => {
    const scenario = await createStartScenario();
    expect(await drop(scenario, { key: oddKey })).toMatchObject({ kind: 'STARTED' });
    expect(readAnswer(scenario, `${oddKey}@v1`)).toMatchObject({ kind: 'STARTED' });
  });

  it('p6 keeps keys apart that differ only in how they would be decoded', async () => {
    const scenario = await createStartScenario();
    for (const name of ['a b', 'a+b', 'a%2Bb', 'a%20b']) {
      await drop(scenario, { key: `inbox/harbour/${name}` });
    }
    expect(scenario.ports.table.heads.size).toBe(4);
  });

  it('takes the files beside the plan, pinned to their versions', async () => {
    const scenario = await createStartScenario();
    const file = scenario.upload('words.txt');
    const plan = composeDocument([composeNode('a', { takes: { x: 'inputs.doc' } })], {
      inputs: { doc: { kind: 'file' } },
      run_inputs: { doc: { key: file.key } },
    });
    expect(await drop(scenario, { text: JSON.stringify(plan) })).toMatchObject({ kind: 'STARTED' });
    const [stored] = [...scenario.ports.documents.documents.values()];
    expect(stored).toContain(file.versionId);
  });

  it.each<[string, Drop, string]>([
    ['a board that is not there', { key: 'inbox/nowhere/plan.yaml' }, 'BOARD_UNKNOWN'],
    ['a folder that can be no board', { key: 'inbox/No Board/plan.yaml' }, 'BOARD_UNKNOWN'],
    ['a key outside any board', { key: 'inbox' }, 'BOARD_UNKNOWN'],
    ['text that is no YAML', { text: 'a: [1' }, 'NOT_YAML'],
    ['a document above planBytes', { text: ' '.repeat(limits.planBytes + 1) }, 'OVER_LIMIT'],
    [
      'malformed inputs',
      { text: JSON.stringify({ ...goodPlan, run_inputs: { doc: 7 } }) },
      'INPUT_INVALID',
    ],
    [
      'an input that a reader would drop in silence',
      { text: JSON.stringify(goodPlan).replace('{', '{"run_inputs": {"__proto__": {}},') },
      'FORBIDDEN_NAME',
    ],
    [
      'a file of another board',
      { text: JSON.stringify({ ...goodPlan, run_inputs: { doc: { key: 'uploads/quay/x' } } }) },
      'INPUT_OF_OTHER_BOARD',
    ],
  ])('refuses %s in the outbox and stores nothing', async (_name, changes, code) => {
    const scenario = await createStartScenario();
    const answer = await drop(scenario, changes);
    expect(answer).toMatchObject({ kind: 'REFUSED', faults: [{ code }], faults_left_out: 0 });
    expect(readAnswer(scenario, `${changes.key ?? key}@v1`)).toEqual(answer);
    expect(listTraces(scenario)).toEqual(noTraces);
  });

  it('tells when the version is gone', async () => {
    const scenario = await createStartScenario();
    const event = { bucket: 'drops', key, versionId: 'v9' };
    expect(await startDroppedRun(scenario.dependencies, event)).toMatchObject({
      kind: 'REFUSED',
      faults: [{ code: 'PLAN_GONE' }],
    });
    expect(listTraces(scenario)).toEqual(noTraces);
  });

  it('lists no more faults than refusalFaults and counts the rest', async () => {
    const scenario = await createStartScenario();
    const nodes = Array.from({ length: limits.refusalFaults + 7 }, (_, index) =>
      composeNode(`n${String(index)}`, { operation: 'nonsense' }),
    );
    const answer = await drop(scenario, { text: JSON.stringify(composeDocument(nodes)) });
    expect(answer.kind === 'REFUSED' ? answer.faults.length : 0).toBe(limits.refusalFaults);
    expect(answer).toMatchObject({ faults_left_out: 7 });
  });

  it('p17 finishes when its event comes again what it had only begun', async () => {
    for (const [operation, moment] of [
      ['runStarts.begin', 'after'],
      ['workflows.startRun', 'before'],
      ['planDrops.answer', 'before'],
    ] as const) {
      const scenario = await createStartScenario();
      scenario.ports.table.interruption = (reached, at) => {
        if (reached !== operation || at !== moment) return;
        scenario.ports.table.interruption = undefined;
        throw new RetryableError('lost');
      };
      await expect(drop(scenario)).rejects.toThrow('lost');
      expect(await drop(scenario)).toMatchObject({ kind: 'STARTED' });
      expect(listTraces(scenario)).toMatchObject({ starts: 1, heads: 1, executions: 1 });
      expect(readAnswer(scenario)).toMatchObject({ kind: 'STARTED' });
    }
  });

  it('p32 breaks rather than run a version whose bytes have changed', async () => {
    const scenario = await createStartScenario();
    await drop(scenario);
    const text = JSON.stringify(composeDocument([composeNode('c')]));
    await expect(drop(scenario, { text })).rejects.toThrow('has changed its bytes');
    expect(scenario.ports.table.heads.size).toBe(1);
  });
});
