import { beforeEach, describe, expect, it } from 'vitest';
import { digestRequest } from '../../../schemas/executor-request.ts';
import { renderCanonical } from '../../../schemas/digest.ts';
import type { GroupAnswer, GroupReturn } from '../../../schemas/group-answer.ts';
import { deriveAttemptId } from '../../../schemas/ids.ts';
import { limits } from '../../../schemas/limits.ts';
import type { BuiltInFunction } from '../../../functions/executors/built-in-function.ts';
import type { PreparedAttempt } from '../../../functions/ports/attempt-register.ts';
import { admitAttempt } from '../../../functions/use-cases/attempt/admit-attempt.ts';
import { admitGroup } from '../../../functions/use-cases/attempt/admit-group.ts';
import { closeAttempt } from '../../../functions/use-cases/attempt/close-attempt.ts';
import type { ReportFault } from '../../../functions/use-cases/attempt/report-fault.ts';
import { runFunction } from '../../../functions/use-cases/attempt/run-function.ts';
import { runGroup } from '../../../functions/use-cases/attempt/run-group.ts';
import { board, outputBytes, runId } from './attempt-fixture.ts';
import { createScenario, listMessages, placeStopOrder, type Scenario } from './attempt-scenario.ts';

const size = 6;
let scenario: Omit<Scenario, 'deps'> & { deps: Scenario['deps'] & ReportFault };
let group: PreparedAttempt[];
let faults: string[];
let call: { attemptIds: string[]; runId: string; board: string };

beforeEach(async () => {
  const { deps, ...rest } = await createScenario({ kind: 'function' });
  faults = [];
  const reportFault = (_attemptId: string, error: unknown) => {
    faults.push((error as Error).name);
  };
  scenario = { ...rest, deps: { ...deps, reportFault } };
  group = Array.from({ length: size }, (_, place) => composeMember(place + 1));
  const attemptIds = group.map(({ attemptId }) => attemptId);
  group = group.map((member) => ({ ...member, group: attemptIds }));
  call = { attemptIds, runId, board };
  await scenario.deps.attempts.prepare(group);
});

/** Another attempt of the scenario's node; the plan has it once, and admission asks for no more. */
function composeMember(number: number): PreparedAttempt {
  const attemptId = deriveAttemptId(runId, 'report.EXECUTE', number);
  const request = { ...scenario.prepared.request, attempt_id: attemptId };
  return { ...scenario.prepared, attemptId, request, requestSha256: digestRequest(request) };
}

const member = (place: number): string => call.attemptIds[place]!;
const others = (place: number): string[] => call.attemptIds.filter((_, index) => index !== place);

/** The function of the scenario, which for one attempt does something else. */
function withFunction(run: BuiltInFunction['run']) {
  const standard = scenario.deps.findFunction('summarise')!;
  return { ...scenario.deps, findFunction: () => ({ ...standard, run }) };
}

/** Runs and admits as the workflow of a group does. */
async function play(deps: typeof scenario.deps = scenario.deps) {
  const answer = await runGroup(deps, call);
  const admitted = await admitGroup(scenario.deps, { ...call, ...answer });
  return { answer, admitted };
}

async function readReturns({ returnsSha256 }: GroupAnswer): Promise<GroupReturn[]> {
  if (returnsSha256 === null) return [];
  const text = await scenario.deps.documents.read('returns', returnsSha256);
  return JSON.parse(text) as GroupReturn[];
}

/** Attempts that the call of a group left to run alone. */
async function listLeft(answer: GroupAnswer): Promise<string[]> {
  const returned = (await readReturns(answer)).map(({ attemptId }) => attemptId);
  return call.attemptIds.filter((attemptId) => !returned.includes(attemptId));
}

async function readEnd(attemptId: string): Promise<string | undefined> {
  return (await scenario.deps.attempts.read(attemptId))?.outcome?.end;
}

const listEnds = () => Promise.all(call.attemptIds.map(readEnd));

describe('a group of function attempts', () => {
  it('E41 is run in one call, judged one by one, and settled with a message each', async () => {
    const { answer, admitted } = await play();
    expect(answer).toEqual({ returnsSha256: expect.any(String) as string });
    expect(await listLeft(answer)).toEqual([]);
    expect(admitted).toEqual({ alone: [] });
    expect(await listEnds()).toEqual(Array(size).fill('SUCCEEDED'));
    expect(listMessages(scenario, 'ATTEMPT_OUTCOME')).toHaveLength(size);
    const outcome = (await scenario.deps.attempts.read(member(2)))?.outcome;
    expect(outcome?.verdicts).toBe('PPPPPPPPPPVPP');
    expect(outcome?.outputs['summary']?.key).toContain(`attempts/${member(2)}/`);
  });

  it('wakes the run once for all of them', async () => {
    let looks = 0;
    scenario.deps.table.interruption = (operation, moment) => {
      if (operation === 'park.read' && moment === 'before') looks += 1;
    };
    await play();
    expect(looks).toBe(1);
    expect(scenario.deps.workflows.answers.has('drive-token')).toBe(true);
  });

  it('E41 fails the one that does not keep its contract, and no other', async () => {
    let calls = 0;
    const deps = withFunction(() => {
      calls += 1;
      const page = calls === 2 ? Buffer.from('<script>go()</script>') : outputBytes['page']!;
      return Promise.resolve({
        kind: 'outputs',
        outputs: {
          summary: { bytes: outputBytes['summary']!, mediaType: 'application/json' },
          page: { bytes: page, mediaType: 'text/html' },
        },
      });
    });
    expect((await play(deps)).admitted).toEqual({ alone: [] });
    const ends = await listEnds();
    expect(ends.filter((end) => end === 'SUCCEEDED')).toHaveLength(size - 1);
    expect(ends.filter((end) => end === 'FAILED')).toHaveLength(1);
  });

  it('E97 charges each for its own time, and not for that of the others', async () => {
    const standard = scenario.deps.findFunction('summarise')!;
    const deps = withFunction((input) => {
      scenario.deps.clock.advance(0.5);
      return standard.run(input);
    });
    await play(deps);
    for (const attemptId of call.attemptIds) {
      const outcome = (await scenario.deps.attempts.read(attemptId))?.outcome;
      const ran = Date.parse(outcome!.returnedAt!) - Date.parse(outcome!.claimedAt!);
      expect(ran).toBe(500);
    }
  });
});

describe('an attempt of a group runs alone', () => {
  it('when its function throws', async () => {
    const standard = scenario.deps.findFunction('summarise')!;
    let calls = 0;
    const deps = withFunction((input) => {
      calls += 1;
      if (calls === 1) throw new RangeError('out of memory');
      return standard.run(input);
    });
    const { answer, admitted } = await play(deps);
    expect(await listLeft(answer)).toEqual([member(0)]);
    expect(faults).toEqual(['RangeError']);
    expect(admitted).toEqual({ alone: [member(0)] });
    expect((await listEnds()).map((end) => end === 'SUCCEEDED')).toEqual(
      call.attemptIds.map((_, place) => place !== 0),
    );
  });

  it('when it is fenced before the call, and then is not run', async () => {
    await scenario.deps.attempts.fence(group[1]!, 'CANCELLED', '2026-01-05T09:00:01.000Z');
    const { admitted } = await play();
    expect(admitted).toEqual({ alone: [member(1)] });
    const name = { attemptId: member(1), runId, board };
    expect(await runFunction(scenario.deps, name)).toMatchObject({ kind: 'NOT_RUN' });
  });

  it('p2 when it is fenced between the two calls: what it returned is not taken', async () => {
    const answer = await runGroup(scenario.deps, call);
    await scenario.deps.attempts.fence(group[3]!, 'CANCELLED', '2026-01-05T09:00:01.000Z');
    const admitted = await admitGroup(scenario.deps, { ...call, ...answer });
    expect(admitted).toEqual({ alone: [member(3)] });
    expect(await readEnd(member(3))).toBeUndefined();
  });

  it('E43 when its request is not the one that was issued', async () => {
    const stored = scenario.deps.table.prepared.get(member(0))!;
    stored.request = { ...stored.request, timeout_seconds: 1 };
    expect((await play()).admitted).toEqual({ alone: [member(0)] });
  });

  it('when it is of another run than the group says', async () => {
    const stored = scenario.deps.table.prepared.get(member(0))!;
    scenario.deps.table.prepared.set(member(0), { ...stored, board: 'another' });
    expect((await play()).admitted.alone).toContain(member(0));
  });

  it('when the others took the time of the group', async () => {
    const standard = scenario.deps.findFunction('summarise')!;
    const deps = withFunction((input) => {
      scenario.deps.clock.advance(limits.groupMilliseconds / 1_000);
      return standard.run(input);
    });
    const { answer } = await play(deps);
    const left = await listLeft(answer);
    expect(left.length).toBeGreaterThan(0);
    expect(await readEnd(left[0]!)).toBeUndefined();
  });

  it('E59 with all others under a stop order, which no function is called under', async () => {
    await placeStopOrder(scenario);
    const deps = withFunction(() => {
      throw new Error('called');
    });
    expect((await play(deps)).admitted).toEqual({ alone: call.attemptIds });
    expect(await listEnds()).toEqual(Array(size).fill(undefined));
  });

  it('E59 with all others when the stop order comes between the two calls', async () => {
    const answer = await runGroup(scenario.deps, call);
    await placeStopOrder(scenario);
    const admitted = await admitGroup(scenario.deps, { ...call, ...answer });
    expect(admitted).toEqual({ alone: call.attemptIds });
  });
});

describe('a group that is admitted again', () => {
  it('p2 changes nothing: each attempt answers with the outcome that stands', async () => {
    const answer = await runGroup(scenario.deps, call);
    await admitGroup(scenario.deps, { ...call, ...answer });
    const before = structuredClone([...scenario.deps.table.attempts]);
    const again = await admitGroup(scenario.deps, { ...call, ...answer });
    expect(again).toEqual({ alone: call.attemptIds });
    for (const attemptId of again.alone) {
      const name = { attemptId, runId, board };
      const returned = await runFunction(scenario.deps, name);
      const admitted = await admitAttempt(scenario.deps, { ...name, returned });
      expect(admitted).toMatchObject({ kind: 'SETTLED', outcome: { end: 'SUCCEEDED' } });
    }
    expect([...scenario.deps.table.attempts]).toEqual(before);
    expect(listMessages(scenario, 'ATTEMPT_OUTCOME')).toHaveLength(size);
  });

  it('settles nothing together once one of them has an outcome', async () => {
    const answer = await runGroup(scenario.deps, call);
    scenario.deps.table.interruption = async (operation, moment) => {
      if (operation !== 'attempts.settleGroup' || moment !== 'before') return;
      scenario.deps.table.interruption = undefined;
      await closeAttempt(scenario.deps, {
        attemptId: member(1),
        cause: 'X',
        fromOwnWorkflow: true,
      });
    };
    const admitted = await admitGroup(scenario.deps, { ...call, ...answer });
    expect(admitted).toEqual({ alone: call.attemptIds });
    expect((await listEnds()).filter((end) => end !== undefined)).toEqual(['FAILED']);
  });

  it('takes no return of an attempt that was left to run alone', async () => {
    const returns = await readReturns(await runGroup(scenario.deps, call));
    const kept = returns.filter(({ attemptId }) => attemptId !== member(2));
    const returnsSha256 = await scenario.deps.documents.put('returns', renderCanonical(kept));
    const admitted = await admitGroup(scenario.deps, { ...call, returnsSha256 });
    expect(admitted).toEqual({ alone: [member(2)] });
    expect(await readEnd(member(2))).toBeUndefined();
  });

  it('takes no return of an attempt that is not of the group', async () => {
    const answer = await runGroup(scenario.deps, call);
    const part = { ...call, attemptIds: others(0) };
    await admitGroup(scenario.deps, { ...part, ...answer });
    expect(await readEnd(member(0))).toBeUndefined();
    expect(await readEnd(member(1))).toBe('SUCCEEDED');
  });
});

describe('a group whose execution is over', () => {
  it('p19 has a closing started for each other attempt, under one name however often', async () => {
    const close = { attemptId: member(0), cause: 'ABORTED', fromOwnWorkflow: false };
    for (let times = 0; times < 2; times += 1) {
      await closeAttempt(scenario.deps, { ...close, isGroupEnded: true });
    }
    const started = [...scenario.deps.workflows.executions.keys()];
    expect(started).toEqual(others(0).map((attemptId) => `close/${attemptId}-group`));
    expect(await readEnd(member(0))).toBe('FAILED');
  });

  it('is stopped when somebody closes one of its attempts, and not the workflow of that one', async () => {
    const { workflows } = scenario.deps;
    await workflows.startGroup({ group: member(0), ...call });
    await closeAttempt(scenario.deps, {
      attemptId: member(2),
      cause: 'RUN_CANCELLED',
      fromOwnWorkflow: false,
    });
    expect(await workflows.describeGroup(member(0))).toBe('ENDED');
    expect([...workflows.executions.keys()]).toEqual([`group/${member(0)}`]);
  });
});
