import type { CheckVerdict } from '../../../schemas/attempt-outcome.ts';
import type { StoredResponse } from '../../../schemas/executor-response.ts';
import { renderExecutorVersion, type Executor } from '../../../schemas/registry.ts';
import type { ParsedFacts } from './admission-facts.ts';
import { judgeResponse, renderVerdict } from './render-verdict.ts';

/** Artefacts that stand for a change of a repository. */
const repositoryArtefacts: readonly string[] = ['GIT_CANDIDATE', 'PATCH'];

/** The chosen executor of the pinned plan speaks, and only of what it may give (E30, E70). */
export function checkProducerAuthority(facts: ParsedFacts): CheckVerdict {
  const { executor } = facts;
  if (executor === undefined) {
    return renderVerdict('PRODUCER_AUTHORITY', [
      `the plan pins no executor ${facts.prepared.executor}`,
    ]);
  }
  return judgeResponse('PRODUCER_AUTHORITY', facts, (response) => [
    ...findSelectionFaults(facts, executor),
    ...findClaimFaults(facts, executor, response),
  ]);
}

function findSelectionFaults(facts: ParsedFacts, executor: Executor): string[] {
  const { prepared } = facts;
  const faults: string[] = [];
  if (executor.kind !== prepared.kind) faults.push(`the executor is no ${prepared.kind}`);
  if (!executor.operations.includes(prepared.assignment.operation)) {
    faults.push(`the executor does not do ${prepared.assignment.operation}`);
  }
  if (!executor.actionTypes.includes(prepared.request.action_type)) {
    faults.push(`the executor does no ${prepared.request.action_type}`);
  }
  for (const [name, { media_type: mediaType }] of Object.entries(prepared.assignment.outputs)) {
    if (!executor.outputMediaTypes.includes(mediaType)) {
      faults.push(`the executor may not give ${mediaType} (output ${name})`);
    }
  }
  return faults;
}

function findClaimFaults(
  facts: ParsedFacts,
  executor: Executor,
  response: StoredResponse,
): string[] {
  const faults: string[] = [];
  const chosen = renderExecutorVersion(executor);
  if (response.executor_version !== chosen) faults.push(`executor_version is not ${chosen}`);
  for (const { type } of response.artefacts) {
    if (facts.prepared.request.base_commit === null && repositoryArtefacts.includes(type)) {
      faults.push(`without a repository there is no ${type}`);
    }
  }
  if (executor.level <= 2 && response.observations.some(({ type }) => type === 'MODEL_CALL')) {
    faults.push(`an executor of level ${String(executor.level)} calls no model`);
  }
  return faults;
}
