import type { Park } from '../../ports/park.ts';
import type { WorkflowEngine } from '../../ports/workflow-engine.ts';

/**
 * Wakes a run whose workflow sleeps. It answers the parked token and leaves it in place: a sender that died between
 * removing and answering would leave the run asleep for good. A token that is gone was answered by somebody else.
 *
 * GONE also where nothing is parked.
 */
export async function wakeRun(
  dependencies: { park: Park; workflows: WorkflowEngine },
  runId: string,
): Promise<'ANSWERED' | 'GONE'> {
  const parked = await dependencies.park.read(runId);
  if (parked === undefined) return 'GONE';
  return dependencies.workflows.answerToken(parked.token, { next: 'AGAIN' });
}
