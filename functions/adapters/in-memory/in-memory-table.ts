import type { GrantAction } from '../../../schemas/public-api.ts';
import type { RunMessage } from '../../../schemas/run-message.ts';
import type { LogEntry } from '../../../schemas/run-log.ts';
import type { AttemptState, PreparedAttempt } from '../../ports/attempt-register.ts';
import type { Attachment } from '../../ports/attachments.ts';
import type { ParkedWorkflow } from '../../ports/park.ts';
import type { RunHead } from '../../ports/run-log.ts';
import type { Task } from '../../ports/tasks.ts';

/** A pause before or after an operation: it may throw (a broken world) or run something else first (a race). */
export type Interruption = (operation: string, moment: 'before' | 'after') => void | Promise<void>;

/**
 * What the one table holds, so that fakes which share a transaction share their state. Each operation is atomic; an
 * interruption stands where a network would.
 */
export class InMemoryTable {
  readonly heads = new Map<string, RunHead>();
  readonly entries = new Map<string, LogEntry[]>();
  readonly parked = new Map<string, ParkedWorkflow>();
  readonly messages = new Map<string, Map<string, RunMessage>>();
  readonly prepared = new Map<string, PreparedAttempt>();
  readonly attempts = new Map<string, AttemptState>();
  readonly starts = new Map<string, { runId: string; bodySha256: string }>();
  readonly boards = new Map<string, Map<string, GrantAction[]>>();
  /** Ended runs for which nothing is left to do. */
  readonly closed = new Set<string>();
  readonly stopped = new Set<string>();
  readonly tasks = new Map<string, Task>();
  readonly attachments: { uploadId: string | null; attachment: Attachment }[] = [];
  interruption: Interruption | undefined;

  async perform<T>(operation: string, work: () => T): Promise<T> {
    await this.interruption?.(operation, 'before');
    const answer = structuredClone(work());
    await this.interruption?.(operation, 'after');
    return answer;
  }
}
