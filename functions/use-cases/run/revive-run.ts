import type { Clock } from '../../ports/clock.ts';
import type { IdSource } from '../../ports/id-source.ts';
import type { Inbox } from '../../ports/inbox.ts';
import type { RunLog } from '../../ports/run-log.ts';
import type { StopOrders } from '../../ports/stop-orders.ts';
import type { WorkflowEngine } from '../../ports/workflow-engine.ts';
import { orderStop } from './order-stop.ts';

export interface ReviveRunDependencies {
  runLog: RunLog;
  inbox: Inbox;
  stopOrders: StopOrders;
  workflows: WorkflowEngine;
  clock: Clock;
  ids: IdSource;
}

/**
 * Starts the next generation of a run whose workflow died before the run ended: console stop, deploy, crash. By
 * compare-and-swap, so that the rule and the sweep together start one. A stop whose cause begins with "cancel" is an
 * operator's word and cancels the run.
 */
export async function reviveRun(
  dependencies: ReviveRunDependencies,
  dead: { runId: string; generation: number },
): Promise<'REVIVED' | 'NOT_NEEDED'> {
  const head = await dependencies.runLog.readHead(dead.runId);
  if (head === undefined || head.endedAt !== null || head.generation !== dead.generation)
    return 'NOT_NEEDED';
  // Not from the event: of a stopped execution it tells no cause.
  const { cause } = await dependencies.workflows.describeRun(dead.runId, dead.generation);
  if (/^cancel/i.test(cause)) {
    await orderStop(dependencies, { board: head.board, runId: dead.runId, by: 'operator', cause });
  }
  const raised = await dependencies.runLog.raiseGeneration(dead.runId, dead.generation);
  if (!raised) return 'NOT_NEEDED';
  await dependencies.workflows.startRun({
    runId: dead.runId,
    board: head.board,
    generation: dead.generation + 1,
  });
  return 'REVIVED';
}
