import type { RunMessage } from '../../schemas/run-message.ts';

/** A message with the key under which it lies. */
export interface Delivery {
  key: string;
  message: RunMessage;
}

/** What has happened to a run and is not yet reduced. Messages are immutable and at most `limits.messageBytes`. */
export interface Inbox {
  put(runId: string, message: RunMessage): Promise<void>;
  /** Oldest first, at most `limit`; strongly consistent. */
  read(runId: string, limit: number): Promise<Delivery[]>;
  remove(runId: string, keys: readonly string[]): Promise<void>;
}
