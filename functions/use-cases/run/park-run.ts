import type { Inbox } from '../../ports/inbox.ts';
import type { Park } from '../../ports/park.ts';
import type { WorkflowEngine } from '../../ports/workflow-engine.ts';

/**
 * Leaves the task token for a sender and looks once more: a message that came between the last look and the parking
 * found no token to answer, so Drive answers its own (no wake-up is lost). REFUSED: the log has moved on; look again.
 */
export async function parkRun(
  dependencies: { park: Park; inbox: Inbox; workflows: WorkflowEngine },
  call: { runId: string; generation: number; call: number; taskToken: string },
  seq: number,
): Promise<'PARKED' | 'REFUSED'> {
  const { runId, generation } = call;
  const stored = await dependencies.park.store({
    runId,
    generation,
    call: call.call,
    token: call.taskToken,
    seq,
  });
  if (stored === 'REFUSED') return 'REFUSED';
  const unread = await dependencies.inbox.read(runId, 1);
  if (unread.length > 0)
    await dependencies.workflows.answerToken(call.taskToken, { next: 'AGAIN' });
  return 'PARKED';
}
