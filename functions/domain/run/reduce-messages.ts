import type { RunEvent } from '../../../schemas/run-event.ts';
import type { RunMessage } from '../../../schemas/run-message.ts';
import type { PreparedWork } from './prepare-attempt.ts';
import type { RunState } from './run-state.ts';
import type { TokenDigests } from './schedule.ts';

/** A message with the key under which it lies in the inbox. */
export interface DeliveredMessage {
  key: string;
  message: RunMessage;
}

export interface ReduceContext {
  /** The time of the commit. */
  now: string;
  /** Digests of the tokens of one attempt; asked only for attempts that get tokens. */
  tokenDigests: (attemptId: string) => TokenDigests;
  /** Attempts whose start was confirmed since the last commit. */
  confirmed: readonly string[];
}

export interface Reduction {
  /** The state after the events; the one that was given is used up. */
  state: RunState;
  /** Empty: there is nothing to commit; only the drained keys are to be removed. */
  events: RunEvent[];
  /** Message ids for the log entry. */
  drained: string[];
  /** Inbox keys to remove after the commit, those of messages that were taken before included. */
  drainedKeys: string[];
  prepared: PreparedWork[];
  quarantined: { messageId: string; error: string }[];
  /** More can be decided at once, without another message: reduce again after the commit. */
  more: boolean;
}

export function reduceMessages(
  state: RunState,
  deliveries: readonly DeliveredMessage[],
  context: ReduceContext,
): Reduction {
  throw new Error(`not written: ${state.runId} ${String(deliveries.length)} ${context.now}`);
}
