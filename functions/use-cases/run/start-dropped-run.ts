import { digestBytes } from '../../../schemas/digest.ts';
import { boardName, deriveDroppedRunId } from '../../../schemas/ids.ts';
import { limits } from '../../../schemas/limits.ts';
import { explainIssues } from '../../../schemas/explain-issues.ts';
import { inputsWords } from '../../../schemas/inputs-words.ts';
import { makeFault } from '../../../schemas/make-fault.ts';
import { parsePlanText } from '../../../schemas/parse-plan-text.ts';
import type { Fault } from '../../../schemas/problem.ts';
import { runInputs, type RunInputs } from '../../../schemas/public-api.ts';
import type { DocumentStore } from '../../ports/artifact-store.ts';
import type { Boards } from '../../ports/boards.ts';
import { PermanentError, PlanTooLargeError } from '../../ports/errors.ts';
import type { PlanDrops } from '../../ports/plan-drops.ts';
import { admitPlanDocument, type AdmitPlanDependencies } from './admit-plan-document.ts';
import { beginRun, type BeginAnswer, type BeginRunDependencies } from './begin-run.ts';
import { findUnreadableInputs } from './read-submitted-plan.ts';
import { storeAdmittedPlan } from './store-admitted-plan.ts';

export interface StartDroppedRunDependencies extends AdmitPlanDependencies, BeginRunDependencies {
  documents: DocumentStore;
  boards: Boards;
  drops: PlanDrops;
}

export interface DroppedPlan {
  bucket: string;
  key: string;
  versionId: string;
}

/** What is written under `outbox/` for one version of a dropped plan. */
export type DropAnswer =
  | { kind: 'STARTED'; run_id: string; plan_sha256: string; nodes: number }
  | { kind: 'REFUSED'; faults: Fault[]; faults_left_out: number };

type DropVerdict = Exclude<DropAnswer, { kind: 'REFUSED' }> | { kind: 'REFUSED'; faults: Fault[] };

/**
 * Starts the run of one version of a dropped plan and writes the answer beside it. The run's id derives from bucket,
 * key and version, so that an event that comes five times makes one run (p1, p6).
 */
export async function startDroppedRun(
  dependencies: StartDroppedRunDependencies,
  drop: DroppedPlan,
): Promise<DropAnswer> {
  const answer = cutFaults(await admitDrop(dependencies, drop));
  await dependencies.drops.answer(drop.key, drop.versionId, `${JSON.stringify(answer, null, 2)}\n`);
  return answer;
}

function cutFaults(verdict: DropVerdict): DropAnswer {
  if (verdict.kind === 'STARTED') return verdict;
  const faults = verdict.faults.slice(0, limits.refusalFaults);
  return { kind: 'REFUSED', faults, faults_left_out: verdict.faults.length - faults.length };
}

async function admitDrop(
  dependencies: StartDroppedRunDependencies,
  drop: DroppedPlan,
): Promise<DropVerdict> {
  const board = boardName.safeParse(drop.key.split('/')[1]);
  if (!board.success || !(await dependencies.boards.exists(board.data))) {
    return refuse(
      'BOARD_UNKNOWN',
      drop.key,
      'the folder under inbox/ names no board',
      'Create the board first (windlass board create NAME), or drop the plan under another.',
    );
  }
  const text = await readDrop(dependencies.drops, drop);
  if (typeof text !== 'string') return text;
  const parsed = parsePlanText(text);
  if (parsed.kind === 'REFUSED') return parsed;
  const parts = separateInputs(parsed.document);
  if (parts.kind === 'REFUSED') return parts;
  const admission = await admitPlanDocument(dependencies, {
    board: board.data,
    inputsField: 'run_inputs',
    ...parts,
  });
  if (admission.kind === 'REFUSED') return admission;
  const begun = await beginRun(dependencies, {
    scope: ['drop', drop.bucket, drop.key, drop.versionId],
    bodySha256: digestBytes(text),
    runId: deriveDroppedRunId(drop.bucket, drop.key, drop.versionId),
    board: board.data,
    startedBy: `drop:${drop.key}`,
    plan: admission.plan,
    planSha256: await storeAdmittedPlan(dependencies.documents, admission.plan),
  });
  return renderBegun(begun, drop);
}

async function readDrop(drops: PlanDrops, drop: DroppedPlan): Promise<string | DropVerdict> {
  try {
    const text = await drops.read(drop.key, drop.versionId);
    return (
      text ??
      refuse(
        'PLAN_GONE',
        drop.key,
        'this version of the plan is not stored any more',
        'Drop it again.',
      )
    );
  } catch (error) {
    if (!(error instanceof PlanTooLargeError)) throw error;
    return refuse(
      'OVER_LIMIT',
      drop.key,
      `the document is above planBytes (${String(limits.planBytes)})`,
      'Drop a smaller plan, and hand large data in as files.',
    );
  }
}

/** A dropped document is a plan with the files it takes beside it, under `run_inputs`. */
function separateInputs(
  document: unknown,
): { kind: 'PARTS'; document: unknown; inputs: RunInputs } | { kind: 'REFUSED'; faults: Fault[] } {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    return { kind: 'PARTS', document, inputs: {} };
  }
  const { run_inputs: named, ...rest } = document as Record<string, unknown>;
  if (named === undefined) return { kind: 'PARTS', document: rest, inputs: {} };
  const unreadable = findUnreadableInputs(named, 'run_inputs');
  if (unreadable.length > 0) return { kind: 'REFUSED', faults: unreadable };
  const parsed = runInputs.safeParse(named);
  if (parsed.success) return { kind: 'PARTS', document: rest, inputs: parsed.data };
  return {
    kind: 'REFUSED',
    faults: explainIssues(parsed.error.issues, named, inputsWords, ['run_inputs']).map((fault) => ({
      ...fault,
      code: 'INPUT_INVALID',
    })),
  };
}

function renderBegun(begun: BeginAnswer, drop: DroppedPlan): DropVerdict {
  if (begun.kind === 'BODY_DIFFERS')
    throw new PermanentError(`version ${drop.versionId} of ${drop.key} has changed its bytes`);
  return {
    kind: 'STARTED',
    run_id: begun.runId,
    plan_sha256: begun.planSha256,
    nodes: begun.nodes,
  };
}

function refuse(code: string, value: string, message: string, fix: string): DropVerdict {
  return {
    kind: 'REFUSED',
    faults: [makeFault([], value, { code, message, fix })],
  };
}
