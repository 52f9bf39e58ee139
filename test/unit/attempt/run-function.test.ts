import { describe, expect, it } from 'vitest';
import { digestBytes } from '../../../schemas/digest.ts';
import { functionAnswer } from '../../../schemas/function-answer.ts';
import { limits } from '../../../schemas/limits.ts';
import type { BuiltInFunction } from '../../../functions/executors/built-in-function.ts';
import { PermanentError } from '../../../functions/ports/errors.ts';
import { admitAttempt } from '../../../functions/use-cases/attempt/admit-attempt.ts';
import { closeAttempt } from '../../../functions/use-cases/attempt/close-attempt.ts';
import { runFunction } from '../../../functions/use-cases/attempt/run-function.ts';
import { inputBytes, inputKey, summaryBytes } from './attempt-fixture.ts';
import { createScenario, listMessages, placeStopOrder, type Scenario } from './attempt-scenario.ts';

const createFunctionScenario = () => createScenario({ kind: 'function' });

function run(scenario: Scenario, builtIn?: Partial<BuiltInFunction>) {
  const standard = scenario.deps.findFunction('summarise')!;
  const findFunction = () => ({ ...standard, ...builtIn });
  return runFunction({ ...scenario.deps, findFunction }, scenario.name);
}

async function admit(scenario: Scenario, returned: Awaited<ReturnType<typeof runFunction>>) {
  const answer = await admitAttempt(scenario.deps, { ...scenario.name, returned });
  if (answer.kind !== 'SETTLED') throw new Error('nothing was settled');
  return answer.outcome;
}

describe('running a function', () => {
  it('gives it the verified input and stores its outputs under the attempt', async () => {
    const scenario = await createFunctionScenario();
    let seen: unknown;
    const answer = await run(scenario, {
      run: (call) => {
        seen = call.inputs['numbers'];
        return scenario.deps.findFunction('summarise')!.run(call);
      },
    });
    expect(seen).toMatchObject({ name: 'numbers', sha256: digestBytes(inputBytes) });
    expect(functionAnswer.parse(JSON.parse(JSON.stringify(answer)))).toEqual(answer);
    const key = `attempts/${scenario.attemptId}/sha256/${digestBytes(summaryBytes)}`;
    expect(scenario.deps.artifacts.objects.get(key)).toHaveLength(1);
    const outcome = await admit(scenario, answer);
    expect(outcome).toMatchObject({ end: 'SUCCEEDED', reason: null, failedChecks: [] });
    expect(outcome.outputs['summary']).toMatchObject({ key, filename: 'summary.json' });
  });

  it('stores nothing twice when it is run again', async () => {
    const scenario = await createFunctionScenario();
    const first = await run(scenario);
    expect(await run(scenario)).toEqual(first);
    for (const versions of scenario.deps.artifacts.objects.values()) {
      expect(versions).toHaveLength(1);
    }
  });

  it('E43 refuses to run a request that is not the one that was issued', async () => {
    const scenario = await createFunctionScenario();
    scenario.deps.table.prepared.get(scenario.attemptId)!.request.timeout_seconds = 1;
    await expect(run(scenario)).rejects.toMatchObject({ name: 'RequestChangedError' });
  });

  it('E43 refuses to run an assignment that the request does not bind', async () => {
    const scenario = await createFunctionScenario();
    scenario.deps.table.prepared.get(scenario.attemptId)!.assignment.params = { other: 1 };
    await expect(run(scenario)).rejects.toMatchObject({ name: 'RequestChangedError' });
  });

  it.each([
    ['gone', (scenario: Scenario) => scenario.deps.artifacts.objects.delete(inputKey)],
    [
      'changed',
      (scenario: Scenario) =>
        (scenario.deps.artifacts.objects.get(inputKey)![0]!.bytes = Buffer.from('[9]')),
    ],
  ])('E51 p32 answers INPUT_MISSING when an input is %s', async (_title, spoil) => {
    const scenario = await createFunctionScenario();
    spoil(scenario);
    const answer = await run(scenario);
    expect(answer).toMatchObject({ kind: 'FAILED', reason: 'INPUT_MISSING' });
    expect(await admit(scenario, answer)).toMatchObject({ end: 'FAILED', reason: 'INPUT_MISSING' });
  });

  it('E51 reads the version that was resolved, not a newer one', async () => {
    const scenario = await createFunctionScenario();
    scenario.deps.artifacts.place(inputKey, Buffer.from('[9]'));
    expect(await run(scenario)).toMatchObject({ kind: 'RETURNED' });
  });

  it.each([
    ['STOP_ORDER', placeStopOrder, 'CANCELLED'],
    [
      'FENCED',
      (scenario: Scenario) =>
        scenario.deps.attempts.fence(scenario.prepared, 'LOST', '2026-01-05T09:00:01.000Z'),
      'FAILED',
    ],
    ['OVER_DEADLINE', (scenario: Scenario) => scenario.deps.clock.advance(3_600), 'TIMED_OUT'],
  ] as const)('E59 never runs when it is stopped by %s', async (cause, stop, end) => {
    const scenario = await createFunctionScenario();
    await stop(scenario);
    let called = false;
    const answer = await run(scenario, {
      run: () => {
        called = true;
        return Promise.reject(new Error('it ran'));
      },
    });
    expect(answer).toEqual({ kind: 'NOT_RUN', cause });
    expect(called).toBe(false);
    expect(await admit(scenario, answer)).toMatchObject({ end });
  });

  it.each([
    ['run', { runId: `run_${'0'.repeat(26)}` }],
    ['board', { board: 'another' }],
  ])(
    'E59 is not run nor admitted for another %s than it was prepared for',
    async (_what, other) => {
      const scenario = await createFunctionScenario();
      const answer = await run(scenario);
      const name = { ...scenario.name, ...other };
      await expect(runFunction(scenario.deps, name)).rejects.toThrow(PermanentError);
      await expect(admitAttempt(scenario.deps, { ...name, returned: answer })).rejects.toThrow(
        PermanentError,
      );
      expect(listMessages(scenario)).toEqual([]);
    },
  );

  it('never runs again when it has ended', async () => {
    const scenario = await createFunctionScenario();
    await admit(scenario, await run(scenario));
    expect(await run(scenario)).toEqual({ kind: 'NOT_RUN', cause: 'ENDED' });
  });

  it('answers ENVIRONMENT when the function is not deployed', async () => {
    const scenario = await createFunctionScenario();
    const deps = { ...scenario.deps, findFunction: () => undefined };
    const answer = await runFunction(deps, scenario.name);
    expect(await admit(scenario, answer)).toMatchObject({ end: 'FAILED', reason: 'ENVIRONMENT' });
  });

  it('tells what the function said when it failed, and charges the time it took', async () => {
    const scenario = await createFunctionScenario();
    const answer = await run(scenario, {
      run: () => {
        scenario.deps.clock.advance(2);
        return Promise.resolve({ kind: 'failed', code: 'INPUT_INVALID', detail: 'no list' });
      },
    });
    const outcome = await admit(scenario, answer);
    expect(outcome).toMatchObject({
      reason: 'EXECUTOR_REPORTED',
      detail: 'INPUT_INVALID: no list',
    });
    expect(outcome).toMatchObject({ costMicroUsd: 3n, wallSeconds: 2 });
  });

  it('p42 names a return by digest when it is too large for a state, and admits it alike', async () => {
    const scenario = await createFunctionScenario();
    const detail = 'x'.repeat(1_900);
    const answer = await run(scenario);
    if (answer.kind !== 'RETURNED') throw new Error('it did not return');
    expect(JSON.stringify(answer).length).toBeLessThan(limits.statePayloadBytes);
    const many = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `extra-${String(index)}`,
        { bytes: Buffer.from(detail + String(index)), mediaType: 'text/plain' },
      ]),
    );
    const large = await run(scenario, {
      run: () => Promise.resolve({ kind: 'outputs', outputs: many }),
    });
    expect(large.kind).toBe('STORED');
    expect(JSON.stringify(large).length).toBeLessThan(500);
    expect(await admit(scenario, large)).toMatchObject({ end: 'FAILED' });
  });
});

describe('a function that comes back late', () => {
  it('E34 is told as RESPONSE_REJECTED and changes nothing', async () => {
    const scenario = await createFunctionScenario();
    const answer = await run(scenario);
    const closed = await closeAttempt(scenario.deps, {
      attemptId: scenario.attemptId,
      cause: 'States.Timeout',
      fromOwnWorkflow: false,
    });
    expect(closed).toMatchObject({ closed: true, outcome: { reason: 'WORKFLOW_FAILED' } });
    expect(await admit(scenario, answer)).toMatchObject({ reason: 'WORKFLOW_FAILED' });
    expect(listMessages(scenario, 'RESPONSE_REJECTED')).toMatchObject([{ code: 'FENCED' }]);
    expect(listMessages(scenario, 'ATTEMPT_OUTCOME')).toHaveLength(1);
  });

  it('admits once however often admission is repeated', async () => {
    const scenario = await createFunctionScenario();
    const answer = await run(scenario);
    const first = await admit(scenario, answer);
    expect(await admit(scenario, answer)).toEqual(first);
    expect(listMessages(scenario)).toHaveLength(1);
  });
});
