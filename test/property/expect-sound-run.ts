import { expect } from 'vitest';
import type { RunState } from '../../functions/domain/run/run-state.ts';
import { budgetDimensions } from '../../schemas/money.ts';
import type { RunEvent } from '../../schemas/run-event.ts';
import { genesisHash, hashLogEntry, type LogEntry } from '../../schemas/run-log.ts';

/** Nothing is held below zero, and what is held and spent stays within the limit (E18). */
export function expectMoneyHolds({ budget }: RunState): void {
  for (const dimension of budgetDimensions) {
    const held = budget.spent[dimension] + budget.committed[dimension];
    expect(budget.committed[dimension] >= 0n && held <= budget.limit[dimension]).toBe(true);
  }
}

/** Each entry follows the one before it by number and hash (E23). */
export function expectChain(entries: readonly LogEntry[]): void {
  let previous = genesisHash;
  for (const [index, entry] of entries.entries()) {
    expect(entry.seq).toBe(index + 1);
    expect(entry.prevHash).toBe(previous);
    expect(hashLogEntry(entry)).toBe(entry.hash);
    previous = entry.hash;
  }
}

/** The run has ended as its nodes say, with nothing live and nothing held. */
export function expectEnd(state: RunState): void {
  const all = [...state.nodes.values()].every((node) => node.status === 'ACCEPTED');
  if (state.cancel !== null) expect(state.status).toBe('CANCELLED');
  else expect(state.status).toBe(all ? 'SUCCEEDED' : 'FAILED');
  expect(state.live.size).toBe(0);
  expect(Object.values(state.budget.committed)).toEqual([0n, 0n, 0n]);
}

/** Once a cancel is asked for nothing begins and nothing is accepted (E59, p39). */
export function expectNothingAfterCancel(events: readonly RunEvent[]): void {
  const cancelled = events.findIndex(({ type }) => type === 'RUN_CANCEL_REQUESTED');
  const after = cancelled < 0 ? [] : events.slice(cancelled).map(({ type }) => type);
  expect(after).not.toContain('NODE_ACCEPTED');
  expect(after).not.toContain('ATTEMPT_PREPARED');
}
