import { limits } from '../../../schemas/limits.ts';
import type { RunMessage } from '../../../schemas/run-message.ts';
import { PermanentError } from '../../ports/errors.ts';
import type { Delivery, Inbox } from '../../ports/inbox.ts';
import type { InMemoryTable } from './in-memory-table.ts';

/** Puts a message under its own id: the same message twice is one message. */
export function storeMessage(table: InMemoryTable, runId: string, message: RunMessage): void {
  const size = Buffer.byteLength(renderJson(message));
  if (size > limits.messageBytes) {
    throw new PermanentError(
      `the message ${message.id} has ${String(size)} bytes; an inbox takes ${String(limits.messageBytes)}`,
    );
  }
  const messages = table.messages.get(runId) ?? new Map<string, RunMessage>();
  if (!messages.has(message.id)) messages.set(message.id, structuredClone(message));
  table.messages.set(runId, messages);
}

function renderJson(message: RunMessage): string {
  return JSON.stringify(message, (_name, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
}

export class InMemoryInbox implements Inbox {
  readonly #table: InMemoryTable;

  constructor(table: InMemoryTable) {
    this.#table = table;
  }

  put(runId: string, message: RunMessage): Promise<void> {
    return this.#table.perform('inbox.put', () => {
      storeMessage(this.#table, runId, message);
    });
  }

  read(runId: string, limit: number): Promise<Delivery[]> {
    return this.#table.perform('inbox.read', () =>
      [...(this.#table.messages.get(runId) ?? [])]
        .slice(0, limit)
        .map(([key, message]) => ({ key, message })),
    );
  }

  remove(runId: string, keys: readonly string[]): Promise<void> {
    return this.#table.perform('inbox.remove', () => {
      for (const key of keys) this.#table.messages.get(runId)?.delete(key);
    });
  }
}
