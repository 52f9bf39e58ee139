import { limits } from '../../../schemas/limits.ts';
import type { Delivery, Inbox } from '../../ports/inbox.ts';

/** Distance between two looks into the inbox while it fills. */
const lookMilliseconds = 25;
/** A commit waits for this part of the live attempts at most: the places of those that answered stay empty meanwhile. */
const partToWaitFor = 1 / 3;

/**
 * The messages for one commit. While two or more attempts run it lingers for answers that are about to come, as long as
 * each look finds more: one commit for several answers is cheaper than one for each.
 */
export async function gatherDeliveries(
  dependencies: { inbox: Inbox; pause: (milliseconds: number) => Promise<void> },
  runId: string,
  liveAttempts: number,
): Promise<Delivery[]> {
  let deliveries = await dependencies.inbox.read(runId, limits.commitMessages);
  if (liveAttempts < 2) return deliveries;
  const enough = Math.min(
    limits.commitMessages,
    Math.max(2, Math.ceil(liveAttempts * partToWaitFor)),
  );
  for (let waited = 0; waited < limits.lingerMilliseconds; waited += lookMilliseconds) {
    if (deliveries.length >= enough) break;
    await dependencies.pause(lookMilliseconds);
    const seen = deliveries.length;
    deliveries = await dependencies.inbox.read(runId, limits.commitMessages);
    if (seen > 0 && deliveries.length === seen) break;
  }
  return deliveries;
}
