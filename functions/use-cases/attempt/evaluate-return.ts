import { renderCanonical } from '../../../schemas/digest.ts';
import type { ExecutorPrice } from '../../../schemas/registry.ts';
import { admitResponse, type Admission } from '../../domain/admission/admit-response.ts';
import { policyVersionInForce } from '../../domain/admission/policy-in-force.ts';
import type { ArtifactStore, DocumentStore } from '../../ports/artifact-store.ts';
import type { PreparedAttempt } from '../../ports/attempt-register.ts';
import type { Clock } from '../../ports/clock.ts';
import { PermanentError } from '../../ports/errors.ts';
import type { SchemaValidator } from '../../ports/schema-validator.ts';
import type { StopOrders } from '../../ports/stop-orders.ts';
import type { ReadPlan } from './create-plan-reader.ts';
import { evaluateAcceptance } from './evaluate-acceptance.ts';
import { measureOutputs } from './measure-outputs.ts';
import type { AttemptReturn } from './read-return.ts';

export interface EvaluateReturnDependencies {
  stopOrders: StopOrders;
  artifacts: ArtifactStore;
  documents: DocumentStore;
  schemas: SchemaValidator;
  readPlan: ReadPlan;
  clock: Clock;
}

/** Gathers the facts, decides, and keeps response, record and verdicts together as one document, whatever was decided (E41). */
export async function evaluateReturn(
  dependencies: EvaluateReturnDependencies,
  prepared: PreparedAttempt,
  returned: AttemptReturn,
): Promise<{ admission: Admission; price: ExecutorPrice | undefined; recordSha256: string }> {
  const plan = await dependencies.readPlan(prepared.planSha256);
  const node = plan.nodes.find(({ id }) => id === prepared.nodeId);
  if (node === undefined) {
    throw new PermanentError(`the plan of ${prepared.attemptId} has no node ${prepared.nodeId}`);
  }
  const { response, record, claimedAt, returnedAt } = returned;
  const outputs = await measureOutputs(dependencies.artifacts, prepared, record);
  const admission = admitResponse({
    prepared,
    node,
    executor: plan.executors[prepared.executor],
    response,
    record,
    stored: Object.fromEntries(
      Object.entries(outputs).map(([name, output]) => [name, output?.measured]),
    ),
    acceptance: evaluateAcceptance(dependencies.schemas, node, outputs),
    claimedAt,
    returnedAt,
    now: dependencies.clock.now().toISOString(),
    stopped: await dependencies.stopOrders.isStopped(prepared.board, prepared.runId),
    // A return is recorded only while nothing is fenced; a function's is refused before it comes here.
    fenced: false,
    policyVersionInForce,
  });
  const { verdicts } = admission;
  const evaluation = renderCanonical({ schema_version: 1, response, record, verdicts });
  const recordSha256 = await dependencies.documents.put('evaluations', evaluation);
  return { admission, price: plan.prices[prepared.executor], recordSha256 };
}
