import type { z } from 'zod';
import type { nodeDetail, nodeSummary } from '../../../schemas/public-api.ts';
import type { RunState } from './run-state.ts';

export type NodeSummary = z.infer<typeof nodeSummary>;
export type NodeDetail = z.infer<typeof nodeDetail>;

/** Undefined when the run has no such node. */
export function summariseNode(state: RunState, nodeId: string): NodeSummary | undefined {
  throw new Error(`not written: ${state.runId} ${nodeId}`);
}

/** The summary with every attempt and why cheaper executors were passed over. */
export function detailNode(state: RunState, nodeId: string): NodeDetail | undefined {
  throw new Error(`not written: ${state.runId} ${nodeId}`);
}
