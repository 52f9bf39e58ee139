import type { AttemptToStart } from '../../domain/run/find-effects.ts';
import type { WorkflowEngine } from '../../ports/workflow-engine.ts';

/** Starts under way at once. */
const startsAtOnce = 16;

/** Starts one execution for each attempt that runs alone and for each group; answers the attempts that were started. */
export async function startAttempts(
  workflows: WorkflowEngine,
  run: { runId: string; board: string },
  toStart: readonly AttemptToStart[],
): Promise<string[]> {
  const executions = new Map<string, AttemptToStart[]>();
  for (const attempt of toStart) {
    const name = attempt.group ?? attempt.attemptId;
    executions.set(name, [...(executions.get(name) ?? []), attempt]);
  }
  const started: string[] = [];
  const start = async (attempts: readonly AttemptToStart[]): Promise<void> => {
    const [first] = attempts;
    if (first === undefined) return;
    const attemptIds = attempts.map(({ attemptId }) => attemptId);
    const { group, ...alone } = first;
    await (group === null
      ? workflows.startAttempt({ ...alone, ...run })
      : workflows.startGroup({ group, attemptIds, ...run }));
    started.push(...attemptIds);
  };
  const waiting = [...executions.values()];
  for (let from = 0; from < waiting.length; from += startsAtOnce) {
    await Promise.all(waiting.slice(from, from + startsAtOnce).map(start));
  }
  return started;
}
