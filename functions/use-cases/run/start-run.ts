import { digestCanonical } from '../../../schemas/digest.ts';
import type { Fault } from '../../../schemas/problem.ts';
import type { RunInputs } from '../../../schemas/public-api.ts';
import type { DocumentStore } from '../../ports/artifact-store.ts';
import type { IdSource } from '../../ports/id-source.ts';
import { admitPlanDocument, type AdmitPlanDependencies } from './admit-plan-document.ts';
import {
  beginRun,
  nameStartKey,
  resumeStart,
  type BeginAnswer,
  type BeginRunDependencies,
} from './begin-run.ts';
import { findUnreadable, readSubmittedPlan } from './read-submitted-plan.ts';
import { storeAdmittedPlan } from './store-admitted-plan.ts';

export interface StartRunDependencies extends AdmitPlanDependencies, BeginRunDependencies {
  documents: DocumentStore;
  ids: IdSource;
}

export type StartRunAnswer = BeginAnswer | { kind: 'REFUSED'; faults: Fault[] };

/**
 * Starts a run for a caller's idempotency key on a board. The same key with the same body answers the same run, with
 * another body BODY_DIFFERS; the key of another caller is another key (p3).
 */
export async function startRun(
  dependencies: StartRunDependencies,
  submission: {
    board: string;
    caller: string;
    idempotencyKey: string;
    body: { plan: string | Record<string, unknown>; inputs?: RunInputs | undefined };
  },
): Promise<StartRunAnswer> {
  const { board, caller, idempotencyKey, body } = submission;
  const unreadable = findUnreadable(body);
  if (unreadable.length > 0) return { kind: 'REFUSED', faults: unreadable };
  const scope = ['api', board, caller, idempotencyKey];
  const bodySha256 = digestCanonical(body);
  const earlier = await dependencies.runStarts.find(nameStartKey(scope));
  if (earlier !== undefined) {
    if (earlier.bodySha256 !== bodySha256) return { kind: 'BODY_DIFFERS', runId: earlier.runId };
    return resumeStart(dependencies, earlier.runId, 'REPLAYED');
  }
  const parsed = readSubmittedPlan(body.plan);
  if (parsed.kind === 'REFUSED') return parsed;
  const admission = await admitPlanDocument(dependencies, {
    board,
    document: parsed.document,
    inputs: body.inputs ?? {},
    inputsField: 'inputs',
  });
  if (admission.kind === 'REFUSED') return admission;
  return beginRun(dependencies, {
    scope,
    bodySha256,
    runId: `run_${dependencies.ids.ulid()}`,
    board,
    startedBy: caller,
    plan: admission.plan,
    planSha256: await storeAdmittedPlan(dependencies.documents, admission.plan),
  });
}
