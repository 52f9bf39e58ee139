import type { FunctionAnswer } from '../../../schemas/function-answer.ts';
import type { DocumentStore } from '../../ports/artifact-store.ts';
import type { AttemptName, AttemptRegister } from '../../ports/attempt-register.ts';
import { callFunction, type CallFunctionDependencies } from './call-function.ts';
import { requireIssuedWork } from './read-issued-attempt.ts';
import { storeFunctionReturn } from './store-function-return.ts';

export interface RunFunctionDependencies extends CallFunctionDependencies {
  attempts: AttemptRegister;
  documents: DocumentStore;
}

/** Runs one level-1 attempt on its verified request; what it returned goes on to admission. */
export async function runFunction(
  dependencies: RunFunctionDependencies,
  call: AttemptName,
): Promise<FunctionAnswer> {
  const work = await requireIssuedWork(dependencies.attempts, call);
  const result = await callFunction(dependencies, work);
  if (result.kind !== 'RETURNED') return result;
  return storeFunctionReturn(dependencies.documents, result.returned);
}
