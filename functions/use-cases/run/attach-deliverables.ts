import { findAttachments } from '../../domain/run/find-attachments.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { Attachments } from '../../ports/attachments.ts';
import type { Delivery } from '../../ports/inbox.ts';

/**
 * Makes what was accepted by these messages attachments of the nodes' tasks. It is done after the commit that accepts and
 * before the messages are removed, which therefore bring it back when whoever committed dies between the two.
 */
export async function attachDeliverables(
  { attachments }: { attachments: Attachments },
  state: RunState,
  deliveries: readonly Delivery[],
): Promise<void> {
  const ended = deliveries.flatMap(({ message }) =>
    message.type === 'ATTEMPT_OUTCOME' ? [message.attemptId] : [],
  );
  const found = findAttachments(state, ended);
  if (found.length > 0) await attachments.attach(found);
}
