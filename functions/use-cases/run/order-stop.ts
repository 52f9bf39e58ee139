import { cutText } from '../../../schemas/cut-text.ts';
import { limits } from '../../../schemas/limits.ts';
import type { Clock } from '../../ports/clock.ts';
import type { IdSource } from '../../ports/id-source.ts';
import type { Inbox } from '../../ports/inbox.ts';
import type { StopOrders } from '../../ports/stop-orders.ts';

/** Writes the order that launch, claim and heartbeat obey at once, and only then tells the run of it (p19). */
export async function orderStop(
  dependencies: { stopOrders: StopOrders; inbox: Inbox; clock: Clock; ids: IdSource },
  order: { board: string; runId: string; by: string; cause: string },
): Promise<void> {
  const { board, runId, by } = order;
  const at = dependencies.clock.now().toISOString();
  const cause = cutText(order.cause, limits.detailCharacters);
  await dependencies.stopOrders.place({ board, runId, by, cause, at });
  const id = `cancel-${dependencies.ids.ulid()}`;
  await dependencies.inbox.put(runId, { type: 'CANCEL', id, at, by, cause });
}
