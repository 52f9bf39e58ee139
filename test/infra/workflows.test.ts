import validate from 'asl-validator';
import jsonata from 'jsonata';
import { describe, expect, it } from 'vitest';
import * as ourErrors from '../../functions/ports/errors.ts';
import { describeCloseAttemptWorkflow } from '../../infra/workflow/close-attempt-workflow.ts';
import { describeFargateAttemptWorkflow } from '../../infra/workflow/fargate-attempt-workflow.ts';
import { describeFunctionGroupWorkflow } from '../../infra/workflow/function-group-workflow.ts';
import { describeFunctionAttemptWorkflow } from '../../infra/workflow/function-attempt-workflow.ts';
import type { State, Workflow } from '../../infra/workflow/lambda-call.ts';
import { describeRunWorkflow } from '../../infra/workflow/run-workflow.ts';
import { limits } from '../../schemas/limits.ts';

const workflows: Record<string, Workflow> = {
  run: describeRunWorkflow(),
  function: describeFunctionAttemptWorkflow('COMPUTED'),
  fargate: describeFargateAttemptWorkflow('COMPUTED'),
  group: describeFunctionGroupWorkflow('COMPUTED'),
  close: describeCloseAttemptWorkflow(),
  'function of an emulator': describeFunctionAttemptWorkflow('LONGEST'),
  'fargate of an emulator': describeFargateAttemptWorkflow('LONGEST'),
};
const named = Object.entries(workflows);
const states = named.flatMap(([workflow, { States }]) => listStates(workflow, States));
const tasks = states.filter(({ state }) => state['Type'] === 'Task');

/** Those inside a Map too. */
function listStates(place: string, from: Record<string, State>): { name: string; state: State }[] {
  return Object.entries(from).flatMap(([name, state]) => {
    const inner = (state['ItemProcessor'] as { States: Record<string, State> } | undefined)?.States;
    const own = { name: `${place}: ${name}`, state };
    return inner === undefined ? [own] : [own, ...listStates(`${place}: ${name}`, inner)];
  });
}

/** What Step Functions and its Lambda integration themselves name. */
const serviceErrors = new Set([
  'States.ALL',
  'States.TaskFailed',
  'States.Timeout',
  'States.HeartbeatTimeout',
  'Lambda.ServiceException',
  'Lambda.AWSLambdaException',
  'Lambda.SdkClientException',
  'Lambda.ClientExecutionTimeoutException',
  'Lambda.TooManyRequestsException',
]);

async function evaluate(value: unknown, states: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((each) => evaluate(each, states)));
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).map(
      async ([key, inner]) => [key, await evaluate(inner, states)] as const,
    );
    return Object.fromEntries(await Promise.all(pairs));
  }
  const expression = typeof value === 'string' ? /^\{%(.*)%\}$/s.exec(value)?.[1] : undefined;
  return expression === undefined ? value : jsonata(expression).evaluate({}, { states });
}

function listNames(state: State, field: 'Retry' | 'Catch'): string[] {
  return ((state[field] ?? []) as { ErrorEquals: string[] }[]).flatMap((each) => each.ErrorEquals);
}

const run = { runId: 'run_1', board: 'b', generation: 2 };
const drive = workflows['run']!.States['Drive']!;

describe('workflows', () => {
  it.each(named)('are valid Amazon States Language: %s', (_, workflow) => {
    const { isValid, errorsText } = validate(structuredClone(workflow));
    expect(isValid ? '' : errorsText()).toBe('');
  });

  it('are refused by the same validator when a state leads nowhere', () => {
    const broken = structuredClone(workflows['run']!);
    broken.States['Drive']!['Next'] = 'Nowhere';
    expect(validate(broken).isValid).toBe(false);
  });

  it.each(states)('say in one sentence what a state is for: $name', ({ state }) => {
    expect(state['Comment']).toMatch(/^[A-Z].{15,}\.$/);
  });

  it.each(tasks)('p9 give every task a time-out: $name', ({ state }) => {
    expect(state['TimeoutSeconds']).toBeDefined();
  });

  const callbacks = tasks.filter(({ state }) =>
    String(state['Resource']).endsWith('.waitForTaskToken'),
  );
  it('wait for a token in the run and the Fargate workflow only', () => {
    expect(callbacks.map(({ name }) => name)).toEqual([
      'run: Drive',
      'fargate: Run',
      'fargate of an emulator: Run',
    ]);
  });

  it.each(callbacks)(
    'p9 give every callback a heartbeat below its time-out: $name',
    async (each) => {
      for (const input of [{}, { timeoutSeconds: 1 }, { timeoutSeconds: 3600 }]) {
        const heartbeat = await evaluate(each.state['HeartbeatSeconds'], { input });
        const timeout = await evaluate(each.state['TimeoutSeconds'], { input });
        expect(heartbeat).toBeGreaterThan(0);
        expect(timeout).toBeGreaterThan(heartbeat as number);
      }
    },
  );

  it('p9 let a parked run sleep longer than it parks', () => {
    expect(drive['HeartbeatSeconds']).toBeGreaterThan(limits.parkSeconds);
  });

  it('p15 give a Fargate attempt its start deadline on top of its own time', async () => {
    const seconds = workflows['fargate']!.States['Run']!['HeartbeatSeconds'];
    expect(await evaluate(seconds, { input: { timeoutSeconds: 100 } })).toBe(
      100 + limits.startDeadlineSeconds,
    );
  });

  it('name in Retry and Catch only errors that exist', () => {
    const ours = Object.values(ourErrors)
      .filter((each) => typeof each === 'function')
      .map((each) => new (each as new (text: string) => Error)('x').name);
    const known = new Set([...serviceErrors, ...ours]);
    const names = states.flatMap(({ state }) => [
      ...listNames(state, 'Retry'),
      ...listNames(state, 'Catch'),
    ]);
    expect(names).toContain('RetryableError');
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  it('never retry what no retry mends', () => {
    const retried = states.flatMap(({ state }) => listNames(state, 'Retry'));
    expect(retried).not.toContain('States.ALL');
    expect(retried).not.toContain('PermanentError');
  });

  it('p29 run a function again for a fault of the service only, not for its own error', () => {
    const retried = listNames(workflows['function']!.States['Run']!, 'Retry');
    expect(retried.every((name) => name.startsWith('Lambda.'))).toBe(true);
  });

  it.each(tasks.filter(({ name }) => /: (Run|Admit)$/.test(name)))(
    'p11 close an attempt after any error: $name',
    async ({ state }) => {
      const [caught] = state['Catch'] as { ErrorEquals: string[]; Output: unknown; Next: string }[];
      expect(caught).toMatchObject({ ErrorEquals: ['States.ALL'], Next: 'Close' });
      const output = await evaluate(caught?.Output, {
        input: { attemptId: 'att_1', returned: 'x' },
        errorOutput: { Error: 'PermanentError', Cause: 'a secret' },
      });
      expect(output).toEqual({ attemptId: 'att_1', error: 'PermanentError' });
    },
  );

  it('p41 count how often they ask whether a task is stopped, and end', async () => {
    const { Close, Closed, StopNotConfirmed } = workflows['close']!.States;
    const first = await evaluate(Close?.['Output'], {
      input: { attemptId: 'att_1', cause: 'X' },
      result: { Payload: { closed: false } },
    });
    expect(first).toEqual({
      attemptId: 'att_1',
      cause: 'X',
      polls: 1,
      closed: false,
      isGroupEnded: false,
    });
    const choices = Closed?.['Choices'] as { Condition: string; Next: string }[];
    const decide = async (input: unknown) => {
      for (const { Condition, Next } of choices) {
        if ((await evaluate(Condition, { input })) === true) return Next;
      }
      return Closed?.['Default'];
    };
    expect(await decide({ closed: true, polls: 1 })).toBe('AttemptClosed');
    expect(await decide({ closed: false, polls: 149 })).toBe('WaitForStop');
    expect(await decide({ closed: false, polls: 150 })).toBe('StopNotConfirmed');
    expect(StopNotConfirmed?.['Type']).toBe('Fail');
  });

  it('p13 take an attempt as closed only on an explicit word', async () => {
    const output = workflows['close']!.States['Close']!['Output'];
    for (const Payload of [{}, null, { closed: 'yes' }]) {
      const states = { input: { attemptId: 'a', cause: 'X' }, result: { Payload } };
      expect(await evaluate(output, states)).toMatchObject({ closed: false });
    }
  });

  it('number the calls of Drive, a retry too, so that a later one is known', async () => {
    const payload = (drive['Arguments'] as { Payload: unknown }).Payload;
    const call = async (input: object, retries?: number) => {
      const context = { Task: { Token: 'token' }, State: { RetryCount: retries } };
      return (await evaluate(payload, { input, context })) as { call: number };
    };
    expect(await call(run)).toEqual({ ...run, call: 1, taskToken: 'token' });
    expect((await call({ ...run, call: 7 }, 0)).call).toBe(7);
    expect((await call({ ...run, call: 7 }, 2)).call).toBe(9);
    const after = await evaluate(drive['Output'], {
      input: { ...run, call: 7 },
      context: { State: { RetryCount: 2 } },
      result: { next: 'AGAIN' },
    });
    expect(after).toEqual({ ...run, call: 10, next: 'AGAIN' });
  });

  it('drive a run again after a time-out, with a later number', async () => {
    const [caught] = drive['Catch'] as { ErrorEquals: string[]; Output: unknown; Next: string }[];
    expect(caught).toMatchObject({
      ErrorEquals: ['States.Timeout', 'States.HeartbeatTimeout'],
      Next: 'Drive',
    });
    const states = { input: { ...run, call: 3 }, context: { State: {} } };
    expect(await evaluate(caught?.Output, states)).toEqual({ ...run, call: 4 });
  });

  it('p42 carry ids and small numbers across a state, and nothing else', () => {
    const fields = new Set(states.flatMap(({ state }) => Object.keys(state['Output'] ?? {})));
    const allowed = [
      ...['runId', 'board', 'generation', 'call', 'next'],
      ...['attemptId', 'returned', 'error', 'cause', 'polls', 'closed', 'isGroupEnded'],
      ...['attemptIds', 'alone', 'returnsSha256'],
    ];
    expect([...fields].filter((field) => !allowed.includes(field))).toEqual([]);
  });

  it('p52 hand a task token to the called function and to no output', () => {
    const outputs = JSON.stringify(
      states.map(({ state }) => [state['Output'], state['Assign'], state['Catch']]),
    );
    expect(outputs).not.toContain('Token');
    expect(JSON.stringify(drive['Arguments'])).toContain('$states.context.Task.Token');
  });

  describe('of a group', () => {
    const group = { runId: 'run_1', board: 'b', attemptIds: ['att_1', 'att_2'] };
    const { RunTogether, AdmitTogether, RunAlone } = workflows['group']!.States;

    it('p42 pass ids and a digest from the one call to the other, and no return', async () => {
      const Payload = { returnsSha256: 'd' };
      const output = await evaluate(RunTogether?.['Output'], { input: group, result: { Payload } });
      expect(output).toEqual({ ...group, ...Payload });
      const { Payload: sent } = AdmitTogether?.['Arguments'] as { Payload: unknown };
      expect(await evaluate(sent, { input: output })).toEqual(output);
    });

    it.each(['RunTogether', 'AdmitTogether'])(
      'p11 run every attempt by itself after any error: %s',
      async (name) => {
        const state = workflows['group']!.States[name]!;
        const [caught] = state['Catch'] as {
          ErrorEquals: string[];
          Output: unknown;
          Next: string;
        }[];
        expect(caught).toMatchObject({ ErrorEquals: ['States.ALL'], Next: 'RunAlone' });
        const errorOutput = { Error: 'Lambda.Unknown', Cause: 'a secret' };
        const output = await evaluate(caught?.Output, { input: group, errorOutput });
        expect(output).toEqual({ runId: 'run_1', board: 'b', alone: group.attemptIds });
      },
    );

    it.each([[[]], [['att_1']], [['att_1', 'att_2']]])(
      'name each attempt that runs alone: %j',
      async (alone) => {
        const input = { runId: 'run_1', board: 'b', alone };
        const items = await evaluate(RunAlone?.['Items'], { input });
        expect([...(items as unknown[])]).toEqual(
          alone.map((attemptId) => ({ attemptId, runId: 'run_1', board: 'b' })),
        );
      },
    );

    it('run an attempt alone by the states of a single one', () => {
      const { States } = RunAlone?.['ItemProcessor'] as { States: unknown };
      expect(States).toEqual(workflows['function']!.States);
    });

    it('close all of them when the whole execution was ended, and only then', async () => {
      const payload = (workflows['close']!.States['Close']!['Arguments'] as { Payload: unknown })
        .Payload;
      const close = { attemptId: 'att_1', cause: 'ABORTED' };
      expect(await evaluate(payload, { input: { ...close, isGroupEnded: true } })).toEqual({
        ...close,
        isGroupEnded: true,
      });
      expect(await evaluate(payload, { input: close })).toEqual({ ...close, isGroupEnded: false });
    });
  });
});
