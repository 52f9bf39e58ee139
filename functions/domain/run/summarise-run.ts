import type { z } from 'zod';
import type { runDetail, runSummary } from '../../../schemas/public-api.ts';
import type { RunState } from './run-state.ts';

export type RunSummary = z.infer<typeof runSummary>;
export type RunDetail = z.infer<typeof runDetail>;

/** `seq` is the place of the log up to which the state was folded. */
export function summariseRun(state: RunState, seq: number): RunSummary {
  throw new Error(`not written: ${state.runId} ${String(seq)}`);
}

/** The summary with every node, in dispatch order. */
export function detailRun(state: RunState, seq: number): RunDetail {
  throw new Error(`not written: ${state.runId} ${String(seq)}`);
}
