import { renderCanonical } from '../../../schemas/digest.ts';
import type { GroupAnswer, GroupReturn } from '../../../schemas/group-answer.ts';
import { limits } from '../../../schemas/limits.ts';
import type { AttemptGroup, AttemptWork } from '../../ports/attempt-register.ts';
import { callFunction, type TakeTurn } from './call-function.ts';
import { checkIssuedWork } from './read-issued-attempt.ts';
import type { ReportFault } from './report-fault.ts';
import type { RunFunctionDependencies } from './run-function.ts';

/** Attempts of a group under way at once: while the outputs of one are stored, another one computes. */
const lanes = 4;

/**
 * Runs the attempts of a group in one call and keeps all their returns in one document. Whatever does not simply return
 * is left to run alone, where its fault is met again and treated: one bad attempt costs the others of its group nothing.
 */
export async function runGroup(
  dependencies: RunFunctionDependencies & ReportFault,
  group: AttemptGroup,
): Promise<GroupAnswer> {
  const { attempts, documents, clock } = dependencies;
  const startedAt = clock.now().getTime();
  const waiting = [...(await attempts.readGroupWork(group)).entries()];
  const returns = new Map<string, GroupReturn>();
  const takeTurn = createTurns();
  const runNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (clock.now().getTime() - startedAt >= limits.groupMilliseconds) return;
      const [place, work] = next;
      const attemptId = group.attemptIds[place] ?? '';
      const returned = await runMember(dependencies, group, { attemptId, work, takeTurn });
      if (returned !== undefined) returns.set(attemptId, returned);
    }
  };
  await Promise.all(Array.from({ length: lanes }, runNext));
  const inOrder = group.attemptIds.flatMap((attemptId) => returns.get(attemptId) ?? []);
  if (inOrder.length === 0) return { returnsSha256: null };
  return { returnsSha256: await documents.put('returns', renderCanonical(inOrder)) };
}

/** Undefined for an attempt that has to run alone. */
async function runMember(
  dependencies: RunFunctionDependencies & ReportFault,
  { runId, board }: AttemptGroup,
  { attemptId, work, takeTurn }: { attemptId: string; work: AttemptWork; takeTurn: TakeTurn },
): Promise<GroupReturn | undefined> {
  try {
    const issued = checkIssuedWork(work, { attemptId, runId, board });
    const result = await callFunction(dependencies, issued, takeTurn);
    return result.kind === 'RETURNED' ? { attemptId, ...result.returned } : undefined;
  } catch (error) {
    dependencies.reportFault(attemptId, error);
    return undefined;
  }
}

/** One after the other, so that no attempt is charged for the time in which another one computed (E97). */
function createTurns(): TakeTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
}
