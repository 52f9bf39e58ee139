import { describe, expect, it } from 'vitest';
import { digestBytes } from '../../../schemas/digest.ts';
import { limits } from '../../../schemas/limits.ts';
import { attemptOutcome } from '../../../schemas/attempt-outcome.ts';
import { admitAttempt } from '../../../functions/use-cases/attempt/admit-attempt.ts';
import {
  closeAttempt,
  type CloseCall,
} from '../../../functions/use-cases/attempt/close-attempt.ts';
import { submitAttempt } from '../../../functions/use-cases/attempt/submit-attempt.ts';
import { settleAttempt } from '../../../functions/use-cases/attempt/settle-attempt.ts';
import { summaryBytes, type FixtureOptions } from './attempt-fixture.ts';
import {
  composeSubmission,
  createScenario,
  launch,
  listMessages,
  placeStopOrder,
  startCourier,
  type Scenario,
} from './attempt-scenario.ts';

async function createReturned(
  options: FixtureOptions = {},
  change: (body: ReturnType<typeof composeSubmission>, scenario: Scenario) => void = () =>
    undefined,
): Promise<Scenario> {
  const scenario = await createScenario(options);
  const body = composeSubmission(scenario, await startCourier(scenario));
  change(body, scenario);
  const answer = await submitAttempt(scenario.deps, body);
  if (answer.kind !== 'RETURNED') throw new Error(`it was refused: ${answer.refusal}`);
  return scenario;
}

const admit = (scenario: Scenario) => admitAttempt(scenario.deps, scenario.name);
const close = (scenario: Scenario, call: Partial<CloseCall> = {}) =>
  closeAttempt(scenario.deps, {
    attemptId: scenario.attemptId,
    cause: 'LEASE_LOST',
    fromOwnWorkflow: false,
    ...call,
  });
const readTask = (scenario: Scenario) => scenario.deps.fargate.entries[0]!.task;

describe('admission', () => {
  it('settles a good return with the message that carries its outcome, and wakes the run', async () => {
    const scenario = await createReturned();
    const answer = await admit(scenario);
    expect(answer).toMatchObject({
      kind: 'SETTLED',
      outcome: { end: 'SUCCEEDED', costMicroUsd: 310n, wallSeconds: 30, failedChecks: [] },
    });
    const [message] = listMessages(scenario);
    expect(message).toMatchObject({ id: `outcome-${scenario.attemptId}`, type: 'ATTEMPT_OUTCOME' });
    expect(message).toHaveProperty('outcome', (answer as { outcome: unknown }).outcome);
    expect(scenario.deps.workflows.answers.get('drive-token')?.output).toEqual({ next: 'AGAIN' });
  });

  it('E41 keeps response, record and all thirteen verdicts in one document', async () => {
    const scenario = await createReturned({}, (body) => {
      body.response.cost_report.committed = '1';
    });
    const answer = await admit(scenario);
    if (answer.kind !== 'SETTLED') throw new Error('nothing was settled');
    expect(answer.outcome).toMatchObject({
      reason: 'PROTOCOL_VIOLATION',
      failedChecks: ['CONSISTENCY'],
      verdicts: 'PPPPPPPFPPVPP',
    });
    const text = await scenario.deps.documents.read('evaluations', answer.outcome.recordSha256!);
    const evaluation = JSON.parse(text) as {
      verdicts: unknown[];
      response: object;
      record: object;
    };
    expect(evaluation.verdicts).toHaveLength(13);
    expect(evaluation.response).toHaveProperty('cost_report.committed', '1');
    expect(evaluation.record).toHaveProperty('producer', 'courier');
  });

  it('E28 judges a response that does not fit its schema, as it came', async () => {
    const scenario = await createReturned({}, (body) => {
      Object.assign(body.response, { approved: true });
    });
    expect(await admit(scenario)).toMatchObject({
      outcome: { end: 'FAILED', reason: 'PROTOCOL_VIOLATION', costMicroUsd: 310n },
    });
  });

  it('E16 p32 refuses bytes that are not those of the record', async () => {
    const scenario = await createReturned({}, (_body, { deps, attemptId }) => {
      const key = `attempts/${attemptId}/sha256/${digestBytes(summaryBytes)}`;
      deps.artifacts.objects.get(key)![0]!.bytes = Buffer.from('{"sum":7}');
    });
    const answer = await admit(scenario);
    expect(answer).toMatchObject({ outcome: { end: 'FAILED', failedChecks: ['CONTENT_HASH'] } });
  });

  it('E16 p30 finds the version of an output whose store gave no answer, and pins it', async () => {
    const scenario = await createReturned({}, (body) => {
      for (const output of body.record.outputs) output.version_id = null;
    });
    const answer = await admit(scenario);
    if (answer.kind !== 'SETTLED') throw new Error('nothing was settled');
    expect(answer.outcome.end).toBe('SUCCEEDED');
    const outputs = Object.values(answer.outcome.outputs);
    expect(outputs).toHaveLength(2);
    for (const { key, versionId } of outputs) {
      const versions = scenario.deps.artifacts.objects.get(key) ?? [];
      expect(versions.map((each) => each.versionId)).toEqual([versionId]);
    }
  });

  it('E16 p30 refuses the version of an output that is another one than the record names', async () => {
    const scenario = await createReturned({}, (body) => {
      for (const output of body.record.outputs) output.version_id = 'v99';
    });
    expect(await admit(scenario)).toMatchObject({ outcome: { end: 'FAILED' } });
  });

  it('p18 names an output whose bytes are not there', async () => {
    const scenario = await createReturned({}, (_body, { deps, attemptId }) => {
      deps.artifacts.objects.delete(`attempts/${attemptId}/sha256/${digestBytes(summaryBytes)}`);
    });
    expect(await admit(scenario)).toMatchObject({ outcome: { reason: 'DELIVERABLE_MISSING' } });
  });

  it('E36 does not read what is larger than may be taken', async () => {
    const scenario = await createReturned({}, (_body, { deps, attemptId }) => {
      const key = `attempts/${attemptId}/sha256/${digestBytes(summaryBytes)}`;
      deps.artifacts.objects.get(key)![0]!.bytes = Buffer.alloc(1_001);
    });
    const read: string[] = [];
    scenario.deps.table.interruption = (operation) => void read.push(operation);
    const answer = await admit(scenario);
    expect(answer).toMatchObject({ outcome: { end: 'FAILED' } });
    expect(
      JSON.stringify(answer, (_name, value: unknown) => (typeof value === 'bigint' ? '' : value)),
    ).toContain('SECURITY');
    expect(read.filter((operation) => operation === 'artifacts.read')).toHaveLength(2);
  });

  it.each([
    [{ check: 'not_empty', output: 'summary' }, true],
    [{ check: 'contains', output: 'page', text: '<p>6' }, true],
    [{ check: 'contains', output: 'page', text: '<p>7' }, false],
    [
      { check: 'json_schema', output: 'summary', schema: { type: 'object', required: ['sum'] } },
      true,
    ],
    [{ check: 'json_schema', output: 'summary', schema: { required: ['total'] } }, false],
    [{ check: 'json_schema', output: 'page', schema: {} }, false],
  ] as const)('E39 makes the acceptance check %j: %s', async (check, passes) => {
    const scenario = await createReturned({ accept: [{ ...check } as never] });
    const answer = await admit(scenario);
    expect(answer).toMatchObject({
      outcome: passes
        ? { end: 'SUCCEEDED' }
        : { reason: 'VALIDATION_FAILED', failedChecks: ['REQUIRED_EVIDENCE'] },
    });
  });

  it('E59 cancels what returned before a stop order that came before admission', async () => {
    const scenario = await createReturned();
    await placeStopOrder(scenario);
    expect(await admit(scenario)).toMatchObject({ outcome: { end: 'CANCELLED', outputs: {} } });
  });

  it('answers NOT_RETURNED while nothing returned', async () => {
    const scenario = await createScenario();
    expect(await admit(scenario)).toEqual({ kind: 'NOT_RETURNED' });
    await startCourier(scenario);
    expect(await admit(scenario)).toEqual({ kind: 'NOT_RETURNED' });
  });

  it('fails an outcome that no message can carry, and never loses it', async () => {
    const scenario = await createReturned();
    const { deps, prepared } = scenario;
    const answer = await admit(await createReturned());
    if (answer.kind !== 'SETTLED') throw new Error('nothing was settled');
    const [one] = Object.values(answer.outcome.outputs);
    const outputs = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`o${String(index)}`, one!]),
    );
    const settled = await settleAttempt(deps, prepared, { ...answer.outcome, outputs });
    expect(settled).toMatchObject({ end: 'FAILED', reason: 'VALIDATION_FAILED', outputs: {} });
    const encoded = JSON.stringify(attemptOutcome.encode(settled));
    expect(encoded.length).toBeLessThan(limits.messageBytes);
  });

  it('charges never more than the commitment', async () => {
    const scenario = await createReturned({}, (_body, { deps }) => {
      deps.clock.advance(700);
    });
    expect(await admit(scenario)).toMatchObject({ outcome: { costMicroUsd: 5_000n } });
  });
});

describe('closing', () => {
  it('p15 says START_FAILED of a task that nobody claimed, and charges nothing', async () => {
    const scenario = await createScenario();
    await launch(scenario);
    scenario.deps.clock.advance(181);
    const answer = await close(scenario, { cause: 'NEVER_CLAIMED' });
    expect(answer).toMatchObject({
      outcome: { end: 'FAILED', reason: 'START_FAILED', costMicroUsd: 0n, claimedAt: null },
    });
    expect(readTask(scenario).lastStatus).toBe('STOPPED');
  });

  it('p11 p19 sets no outcome before the task is stopped', async () => {
    const scenario = await createScenario();
    await startCourier(scenario);
    const { fargate, attempts, clock } = scenario.deps;
    fargate.stopsAtOnce = false;
    clock.advance(120);
    expect(await close(scenario)).toEqual({ closed: false });
    expect(await close(scenario)).toEqual({ closed: false });
    const state = await attempts.read(scenario.attemptId);
    expect(state).toMatchObject({ outcome: null, fenceCause: 'LEASE_LOST' });
    expect(listMessages(scenario)).toEqual([]);
    fargate.end(readTask(scenario).taskArn, { stoppedAt: '2026-01-05T09:02:12.000Z' });
    expect(await close(scenario)).toMatchObject({
      closed: true,
      outcome: { end: 'ABANDONED', costMicroUsd: 1_230n, wallSeconds: 122 },
    });
  });

  it('p36 stops a task whose ARN nobody recorded', async () => {
    const scenario = await createScenario();
    scenario.deps.table.interruption = (operation) => {
      if (operation === 'attempts.recordTask') throw new Error('it died');
    };
    await expect(launch(scenario)).rejects.toThrow('it died');
    scenario.deps.table.interruption = undefined;
    expect(await close(scenario)).toMatchObject({ closed: true });
    expect(readTask(scenario).lastStatus).toBe('STOPPED');
  });

  it('p46 waits a minute for a task that ECS does not list yet, and no longer', async () => {
    const scenario = await createScenario();
    await launch(scenario);
    scenario.deps.fargate.forget(readTask(scenario).taskArn);
    scenario.deps.clock.advance(59);
    expect(await close(scenario)).toEqual({ closed: false });
    scenario.deps.clock.advance(1);
    expect(await close(scenario)).toMatchObject({
      closed: true,
      outcome: { reason: 'START_FAILED' },
    });
  });

  it('p14 admits what had returned before', async () => {
    const scenario = await createReturned();
    expect(await close(scenario)).toMatchObject({ closed: true, outcome: { end: 'SUCCEEDED' } });
    expect(readTask(scenario).lastStatus).toBe('STOPPED');
  });

  it('says CANCELLED under a stop order, also when the deadline is past', async () => {
    const scenario = await createScenario();
    await startCourier(scenario);
    scenario.deps.clock.advance(3_600);
    await placeStopOrder(scenario);
    expect(await close(scenario)).toMatchObject({ outcome: { end: 'CANCELLED', reason: null } });
  });

  it('E58 says TIMED_OUT of a silent executor past its deadline', async () => {
    const scenario = await createScenario();
    await startCourier(scenario);
    scenario.deps.clock.advance(3_600);
    expect(await close(scenario, { cause: 'DEADLINE_PASSED' })).toMatchObject({
      outcome: { end: 'TIMED_OUT', costMicroUsd: 5_000n },
    });
  });

  it.each([
    ['p16 OUT_OF_MEMORY by its reason', 1, 'OutOfMemoryError: killed', 'OUT_OF_MEMORY'],
    ['p16 ENVIRONMENT for a kill that names no memory', 137, null, 'ENVIRONMENT'],
    ['ENVIRONMENT by another code', 2, null, 'ENVIRONMENT'],
    ['p13 ENVIRONMENT without a code', null, null, 'ENVIRONMENT'],
    ['TRANSPORT when it ended well and said nothing', 0, null, 'TRANSPORT'],
  ] as const)(
    'says %s of a task that ended by itself',
    async (_title, exitCode, reason, expected) => {
      const scenario = await createScenario();
      await startCourier(scenario);
      scenario.deps.fargate.end(readTask(scenario).taskArn, {
        stopCode: 'EssentialContainerExited',
        stoppedReason: 'Essential container in task exited',
        containers: [{ name: 'courier', exitCode, reason }],
      });
      expect(await close(scenario, { cause: 'TASK_STOPPED' })).toMatchObject({
        outcome: { end: 'FAILED', reason: expected },
      });
    },
  );

  it('p16 does not take our own stop for an out-of-memory kill', async () => {
    const scenario = await createScenario();
    await startCourier(scenario);
    scenario.deps.fargate.stopsAtOnce = false;
    scenario.deps.clock.advance(120);
    await close(scenario);
    const containers = [{ name: 'courier', exitCode: 137, reason: null }];
    scenario.deps.fargate.end(readTask(scenario).taskArn, { containers });
    expect(await close(scenario)).toMatchObject({ outcome: { end: 'ABANDONED' } });
  });

  it('stops the attempt workflow, unless it is the one that asks', async () => {
    for (const fromOwnWorkflow of [true, false]) {
      const scenario = await createScenario();
      const { attemptId, deps, prepared } = scenario;
      await deps.workflows.startAttempt({ ...prepared });
      await launch(scenario);
      await close(scenario, { fromOwnWorkflow });
      const expected = fromOwnWorkflow ? 'RUNNING' : 'ENDED';
      expect(deps.workflows.executions.get(`attempt/fargate/${attemptId}`)).toBe(expected);
    }
  });

  it('E97 p27 charges a function that vanished from its preparation to its closing', async () => {
    const scenario = await createScenario({ kind: 'function' });
    scenario.deps.clock.advance(7);
    expect(await close(scenario, { cause: 'States.Timeout' })).toMatchObject({
      outcome: { reason: 'WORKFLOW_FAILED', wallSeconds: 7 },
    });
  });

  it('p20 stops the task of an attempt that ended, and of one that nobody prepared', async () => {
    const scenario = await createScenario();
    await launch(scenario);
    await close(scenario, { cause: 'StartRefusedError' });
    const orphan = {
      attemptId: `att_${'0'.repeat(26)}`,
      runId: '',
      nodeId: '',
      environment: '',
      claimTicket: '',
    };
    await scenario.deps.fargate.launch(orphan);
    const answer = await close(scenario, { attemptId: orphan.attemptId, cause: 'ORPHAN_TASK' });
    expect(answer).toEqual({ closed: true, outcome: null });
    readTask(scenario).lastStatus = 'RUNNING';
    expect(await close(scenario, { cause: 'ORPHAN_TASK' })).toMatchObject({ closed: true });
    expect(await scenario.deps.fargate.listLive()).toEqual([]);
  });
});

describe('admission and closing at once', () => {
  it('p2 p39 exactly one outcome and one message, whatever wins at whatever moment', async () => {
    const moments = [
      'attempts.readWork',
      'documents.read',
      'artifacts.find',
      'documents.put',
      'attempts.settle',
    ];
    for (const operation of moments) {
      for (const stop of [false, true]) {
        const scenario = await createReturned();
        const { table } = scenario.deps;
        let raced: unknown;
        table.interruption = async (at, moment) => {
          if (at !== operation || moment !== 'before') return;
          table.interruption = undefined;
          if (stop) await placeStopOrder(scenario);
          raced = await close(scenario);
        };
        const admitted = await admit(scenario);
        expect(listMessages(scenario, 'ATTEMPT_OUTCOME')).toHaveLength(1);
        const state = await scenario.deps.attempts.read(scenario.attemptId);
        expect(admitted).toEqual({ kind: 'SETTLED', outcome: state!.outcome });
        expect(raced).toEqual({ closed: true, outcome: state!.outcome });
        expect(state!.outcome!.end, operation).toBe(stop ? 'CANCELLED' : 'SUCCEEDED');
      }
    }
  });

  it('p2 many closings and admissions together make one outcome', async () => {
    const scenario = await createReturned();
    const answers = await Promise.all([
      close(scenario),
      admit(scenario),
      close(scenario, { cause: 'OTHER' }),
      admit(scenario),
    ]);
    const outcomes = answers.map((answer) => ('outcome' in answer ? answer.outcome : null));
    for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0]);
    expect(listMessages(scenario, 'ATTEMPT_OUTCOME')).toHaveLength(1);
  });

  it('wakes the run again when the first died between the outcome and the wake', async () => {
    const scenario = await createReturned();
    scenario.deps.table.interruption = (operation) => {
      if (operation === 'park.read') throw new Error('it died');
    };
    await expect(admit(scenario)).rejects.toThrow('it died');
    scenario.deps.table.interruption = undefined;
    expect(await admit(scenario)).toMatchObject({ outcome: { end: 'SUCCEEDED' } });
    expect(scenario.deps.workflows.answers.has('drive-token')).toBe(true);
    expect(listMessages(scenario)).toHaveLength(1);
  });

  it('a closing that loses to a submission admits it', async () => {
    const scenario = await createScenario();
    const body = composeSubmission(scenario, await startCourier(scenario));
    const { table } = scenario.deps;
    table.interruption = async (operation, moment) => {
      if (operation !== 'attempts.fence' || moment !== 'before') return;
      table.interruption = undefined;
      await submitAttempt(scenario.deps, body);
    };
    expect(await close(scenario)).toMatchObject({ outcome: { end: 'SUCCEEDED' } });
  });
});
