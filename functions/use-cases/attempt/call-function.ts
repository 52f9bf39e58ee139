import type { FunctionAnswer } from '../../../schemas/function-answer.ts';
import type { BuiltInFunction, FunctionCall } from '../../executors/built-in-function.ts';
import type { ArtifactStore } from '../../ports/artifact-store.ts';
import type { PreparedAttempt } from '../../ports/attempt-register.ts';
import type { Clock } from '../../ports/clock.ts';
import { ArtifactCorruptError, ArtifactMissingError, PermanentError } from '../../ports/errors.ts';
import {
  composeFunctionReturn,
  type FunctionReturn,
  type FunctionRun,
} from './compose-function-return.ts';
import { judgeStop } from './find-stop-cause.ts';
import { readFunctionInputs } from './read-function-inputs.ts';
import type { IssuedWork } from './read-issued-attempt.ts';
import { storeFunctionOutputs } from './store-function-outputs.ts';

export interface CallFunctionDependencies {
  artifacts: ArtifactStore;
  clock: Clock;
  findFunction: (operation: string) => BuiltInFunction | undefined;
}

/** Does the work when it is its turn. */
export type TakeTurn = <T>(work: () => Promise<T>) => Promise<T>;

const atOnce: TakeTurn = (work) => work();

/** What came of calling it; a return is not stored yet. */
export type FunctionResult =
  | { kind: 'RETURNED'; returned: FunctionReturn }
  | Extract<FunctionAnswer, { kind: 'FAILED' | 'NOT_RUN' }>;

/**
 * Calls the function of one level-1 attempt: verifies its inputs by exact version and digest, and stores what it gives
 * under the attempt's own prefix. It decides nothing and writes no state of the run.
 */
export async function callFunction(
  dependencies: CallFunctionDependencies,
  { prepared, state, stopped }: IssuedWork,
  takeTurn: TakeTurn = atOnce,
): Promise<FunctionResult> {
  const { clock } = dependencies;
  if (prepared.kind !== 'function') {
    throw new PermanentError(`attempt ${prepared.attemptId} is for a ${prepared.kind} executor`);
  }
  const cause = judgeStop(prepared, { state, stopped }, clock.now());
  if (cause !== undefined) return { kind: 'NOT_RUN', cause };
  const { operation } = prepared.assignment;
  const builtIn = dependencies.findFunction(operation);
  if (builtIn === undefined) {
    const detail = `no function ${operation} is deployed`;
    return { kind: 'FAILED', reason: 'ENVIRONMENT', detail };
  }
  if (prepared.assignment.executor_version !== `${prepared.executor}@${builtIn.version}`) {
    const detail = `the deployed function is ${prepared.executor}@${builtIn.version}; the plan pinned ${prepared.assignment.executor_version}`;
    return { kind: 'FAILED', reason: 'ENVIRONMENT', detail };
  }
  const ran = await takeTurn(() => measureRun(dependencies, builtIn, prepared));
  if (ran.kind === 'MISSING') {
    const detail = `input ${ran.key} is gone or is not what was resolved`;
    return { kind: 'FAILED', reason: 'INPUT_MISSING', detail };
  }
  const { run } = ran;
  const stored = await storeFunctionOutputs(dependencies.artifacts, prepared.attemptId, run.result);
  return { kind: 'RETURNED', returned: composeFunctionReturn(prepared, run, stored) };
}

/** What is charged: from the reading of the inputs to the answer of the function. */
async function measureRun(
  { artifacts, clock }: CallFunctionDependencies,
  builtIn: BuiltInFunction,
  prepared: PreparedAttempt,
): Promise<{ kind: 'RAN'; run: FunctionRun } | { kind: 'MISSING'; key: string }> {
  const startedAt = clock.now().toISOString();
  const inputs = await readInputs(artifacts, prepared);
  if (inputs.kind === 'MISSING') return inputs;
  const { params, outputs } = prepared.assignment;
  const gives = Object.fromEntries(
    Object.entries(outputs).map(([name, output]) => [name, { mediaType: output.media_type }]),
  );
  const result = await builtIn.run({ params, inputs: inputs.inputs, gives });
  return { kind: 'RAN', run: { startedAt, finishedAt: clock.now().toISOString(), result } };
}

async function readInputs(
  artifacts: ArtifactStore,
  prepared: PreparedAttempt,
): Promise<{ kind: 'READ'; inputs: FunctionCall['inputs'] } | { kind: 'MISSING'; key: string }> {
  try {
    return { kind: 'READ', inputs: await readFunctionInputs(artifacts, prepared) };
  } catch (error) {
    if (error instanceof ArtifactMissingError || error instanceof ArtifactCorruptError) {
      return { kind: 'MISSING', key: error.key };
    }
    throw error;
  }
}
