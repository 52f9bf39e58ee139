import type { RunMessage } from '../../schemas/run-message.ts';
import type { RunHead } from './run-log.ts';

export interface RunStart {
  /** The idempotency scope: (board, caller, Idempotency-Key), or (bucket, key, version) of a dropped plan, hashed. */
  key: string;
  bodySha256: string;
  head: RunHead;
  firstMessage: RunMessage;
}

/** An earlier start under the same key: `runId` is the run it made. */
export type StartAnswer =
  | { kind: 'STARTED'; runId: string }
  | { kind: 'REPLAYED'; runId: string }
  | { kind: 'BODY_DIFFERS'; runId: string };

/** Starts a run at most once for a key (p3): START, HEAD and the first message are written in one transaction. */
export interface RunStarts {
  begin(start: RunStart): Promise<StartAnswer>;
  find(key: string): Promise<{ runId: string; bodySha256: string } | undefined>;
}
