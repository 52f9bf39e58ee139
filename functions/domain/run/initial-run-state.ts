import type { ExpandedPlan } from '../../../schemas/expanded-plan.ts';
import type { RunState } from './run-state.ts';

export interface RunIdentity {
  runId: string;
  board: string;
  plan: ExpandedPlan;
  planSha256: string;
}

export function initialRunState(run: RunIdentity): RunState {
  throw new Error(`not written: ${run.runId}`);
}
