import { groupReturns, type GroupAnswer, type GroupReturn } from '../../../schemas/group-answer.ts';
import type { AttemptGroup, AttemptWork, Settlement } from '../../ports/attempt-register.ts';
import { wakeRun } from '../run/wake-run.ts';
import type { AdmitAttemptDependencies } from './admit-attempt.ts';
import { judgeReturn } from './judge-return.ts';
import { checkIssuedWork } from './read-issued-attempt.ts';
import type { ReportFault } from './report-fault.ts';
import { composeSettlement } from './settle-attempt.ts';

/**
 * Admission of a group: every return is judged by itself, by all thirteen checks, and what was decided is set in one
 * transaction. Answers the attempts that have to go on alone: those of which anything is unusual, or all of them when
 * one outcome stood already.
 */
export async function admitGroup(
  dependencies: AdmitAttemptDependencies & ReportFault,
  call: AttemptGroup & GroupAnswer,
): Promise<{ alone: string[] }> {
  const { attempts, documents } = dependencies;
  const { attemptIds, returnsSha256 } = call;
  if (returnsSha256 === null) return { alone: [...attemptIds] };
  const returns = groupReturns.parse(JSON.parse(await documents.read('returns', returnsSha256)));
  const works = await attempts.readGroupWork(call);
  const settlements: Settlement[] = [];
  for (const returned of returns) {
    const work = works[attemptIds.indexOf(returned.attemptId)];
    if (work === undefined) continue;
    const settlement = await judgeMember(dependencies, call, { returned, work });
    if (settlement !== undefined) settlements.push(settlement);
  }
  if (settlements.length === 0) return { alone: [...attemptIds] };
  if ((await attempts.settleGroup(settlements)) === 'REFUSED') return { alone: [...attemptIds] };
  await wakeRun(dependencies, call.runId);
  const settled = new Set(settlements.map(({ attempt }) => attempt.attemptId));
  return { alone: attemptIds.filter((attemptId) => !settled.has(attemptId)) };
}

/** Undefined for an attempt whose end somebody else decides, or whose judging meets a fault: it goes on alone. */
async function judgeMember(
  dependencies: AdmitAttemptDependencies & ReportFault,
  { runId, board }: AttemptGroup,
  { returned, work }: { returned: GroupReturn; work: AttemptWork },
): Promise<Settlement | undefined> {
  const { attemptId, response, record } = returned;
  try {
    const issued = checkIssuedWork(work, { attemptId, runId, board });
    if (issued.state !== undefined || issued.stopped) return undefined;
    const outcome = await judgeReturn(dependencies, issued, {
      response,
      record,
      claimedAt: null,
      returnedAt: record.finished_at,
    });
    return composeSettlement(issued.prepared, outcome);
  } catch (error) {
    dependencies.reportFault(attemptId, error);
    return undefined;
  }
}
