import type { FunctionAnswer } from '../../../schemas/function-answer.ts';
import type { BuiltInFunction, FunctionCall } from '../../executors/built-in-function.ts';
import type { ArtifactStore, DocumentStore } from '../../ports/artifact-store.ts';
import type {
  AttemptName,
  AttemptRegister,
  PreparedAttempt,
} from '../../ports/attempt-register.ts';
import type { Clock } from '../../ports/clock.ts';
import { ArtifactCorruptError, ArtifactMissingError, PermanentError } from '../../ports/errors.ts';
import { composeFunctionReturn, type FunctionRun } from './compose-function-return.ts';
import { judgeStop } from './find-stop-cause.ts';
import { readFunctionInputs } from './read-function-inputs.ts';
import { requireIssuedWork } from './read-issued-attempt.ts';
import { storeFunctionOutputs } from './store-function-outputs.ts';
import { storeFunctionReturn } from './store-function-return.ts';

export interface RunFunctionDependencies {
  attempts: AttemptRegister;
  artifacts: ArtifactStore;
  documents: DocumentStore;
  clock: Clock;
  findFunction: (operation: string) => BuiltInFunction | undefined;
}

/**
 * Runs one level-1 attempt: verifies its request and its inputs by exact version and digest, calls the function, and
 * stores what it gives under the attempt's own prefix. It decides nothing and writes no state of the run.
 */
export async function runFunction(
  dependencies: RunFunctionDependencies,
  call: AttemptName,
): Promise<FunctionAnswer> {
  const { attempts, clock } = dependencies;
  const { prepared, state, stopped } = await requireIssuedWork(attempts, call);
  if (prepared.kind !== 'function') {
    throw new PermanentError(`attempt ${call.attemptId} is for a ${prepared.kind} executor`);
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
  const startedAt = clock.now().toISOString();
  const inputs = await readInputs(dependencies.artifacts, prepared);
  if (inputs.kind === 'MISSING') {
    const detail = `input ${inputs.key} is gone or is not what was resolved`;
    return { kind: 'FAILED', reason: 'INPUT_MISSING', detail };
  }
  const result = await builtIn.run({
    params: prepared.assignment.params,
    inputs: inputs.inputs,
    gives: Object.fromEntries(
      Object.entries(prepared.assignment.outputs).map(([name, output]) => [
        name,
        { mediaType: output.media_type },
      ]),
    ),
  });
  const run: FunctionRun = { startedAt, finishedAt: clock.now().toISOString(), result };
  const stored = await storeFunctionOutputs(dependencies.artifacts, prepared.attemptId, result);
  return storeFunctionReturn(dependencies.documents, composeFunctionReturn(prepared, run, stored));
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
