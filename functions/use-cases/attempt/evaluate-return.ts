import { renderCanonical } from '../../../schemas/digest.ts';
import type { ExecutorPrice } from '../../../schemas/registry.ts';
import { admitResponse, type Admission } from '../../domain/admission/admit-response.ts';
import { policyVersionInForce } from '../../domain/admission/policy-in-force.ts';
import type { ArtifactStore, DocumentStore } from '../../ports/artifact-store.ts';
import type { PreparedAttempt } from '../../ports/attempt-register.ts';
import type { Clock } from '../../ports/clock.ts';
import { PermanentError } from '../../ports/errors.ts';
import type { SchemaValidator } from '../../ports/schema-validator.ts';
import type { ReadPlanned } from './create-plan-reader.ts';
import { evaluateAcceptance } from './evaluate-acceptance.ts';
import { measureOutputs } from './measure-outputs.ts';
import type { AttemptReturn } from './read-return.ts';

export interface EvaluateReturnDependencies {
  artifacts: ArtifactStore;
  documents: DocumentStore;
  schemas: SchemaValidator;
  readPlanned: ReadPlanned;
  clock: Clock;
}

/**
 * Gathers the facts and decides. All thirteen verdicts are kept, whatever was decided (E41): with response and record as
 * one document, but of a function that passed them all in the outcome alone, which has a letter for each.
 */
export async function evaluateReturn(
  dependencies: EvaluateReturnDependencies,
  { prepared, stopped }: { prepared: PreparedAttempt; stopped: boolean },
  returned: AttemptReturn,
): Promise<{
  admission: Admission;
  price: ExecutorPrice | undefined;
  recordSha256: string | null;
}> {
  const { node, executor, price } = await dependencies.readPlanned(prepared);
  if (node === undefined) {
    throw new PermanentError(`the plan of ${prepared.attemptId} has no node ${prepared.nodeId}`);
  }
  const { response, record, claimedAt, returnedAt } = returned;
  const outputs = await measureOutputs(dependencies.artifacts, { prepared, node }, record);
  const admission = admitResponse({
    prepared,
    node,
    executor,
    response,
    record,
    stored: Object.fromEntries(
      Object.entries(outputs).map(([name, output]) => [name, output?.measured]),
    ),
    acceptance: evaluateAcceptance(dependencies.schemas, node, outputs),
    claimedAt,
    returnedAt,
    now: dependencies.clock.now().toISOString(),
    stopped,
    // A return is recorded only while nothing is fenced; a function's is refused before it comes here.
    fenced: false,
    policyVersionInForce,
  });
  const { verdicts, decision } = admission;
  const isPlain = prepared.kind === 'function' && decision.end === 'SUCCEEDED';
  if (isPlain) return { admission, price, recordSha256: null };
  const evaluation = renderCanonical({ schema_version: 1, response, record, verdicts });
  const recordSha256 = await dependencies.documents.put('evaluations', evaluation);
  return { admission, price, recordSha256 };
}
