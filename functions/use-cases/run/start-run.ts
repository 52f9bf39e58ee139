import { digestCanonical } from '../../../schemas/digest.ts';
import { parsePlanText } from '../../../schemas/parse-plan-text.ts';
import type { Fault } from '../../../schemas/problem.ts';
import type { RunInputs } from '../../../schemas/public-api.ts';
import { checkValues } from '../../domain/plan/check-values.ts';
import type { IdSource } from '../../ports/id-source.ts';
import { admitPlanDocument, type AdmitPlanDependencies } from './admit-plan-document.ts';
import {
  beginRun,
  nameStartKey,
  resumeStart,
  type BeginAnswer,
  type BeginRunDependencies,
} from './begin-run.ts';

export interface StartRunDependencies extends AdmitPlanDependencies, BeginRunDependencies {
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
  const unreadable = [
    ...checkValues(body.plan),
    ...checkValues(body.inputs).map((fault) => ({ ...fault, path: `/inputs${fault.path}` })),
  ];
  if (unreadable.length > 0) return { kind: 'REFUSED', faults: unreadable };
  const scope = ['api', board, caller, idempotencyKey];
  const bodySha256 = digestCanonical(body);
  const earlier = await dependencies.runStarts.find(nameStartKey(scope));
  if (earlier !== undefined) {
    if (earlier.bodySha256 !== bodySha256) return { kind: 'BODY_DIFFERS', runId: earlier.runId };
    return resumeStart(dependencies, earlier.runId, 'REPLAYED');
  }
  const parsed =
    typeof body.plan === 'string'
      ? parsePlanText(body.plan)
      : { kind: 'PARSED' as const, document: body.plan };
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
    planSha256: admission.planSha256,
  });
}
