import type { RunStatus } from '../../../schemas/run-event.ts';
import type { Clock } from '../../ports/clock.ts';
import type { IdSource } from '../../ports/id-source.ts';
import type { Inbox } from '../../ports/inbox.ts';
import type { Park } from '../../ports/park.ts';
import type { RunHead, RunLog } from '../../ports/run-log.ts';
import type { StopOrders } from '../../ports/stop-orders.ts';
import type { WorkflowEngine } from '../../ports/workflow-engine.ts';
import { orderStop } from './order-stop.ts';
import { wakeRun } from './wake-run.ts';

export interface CancelRunDependencies {
  runLog: RunLog;
  inbox: Inbox;
  park: Park;
  stopOrders: StopOrders;
  workflows: WorkflowEngine;
  clock: Clock;
  ids: IdSource;
}

/**
 * Orders a run to stop. The order is written first, so that launch, claim and heartbeat obey it even while nobody
 * reduces; the run says CANCELLED only when everything it started is confirmed to be gone (p19).
 */
export async function cancelRun(
  dependencies: CancelRunDependencies,
  cancel: { board: string; runId: string; by: string; cause: string },
): Promise<
  { kind: 'ACCEPTED'; status: RunStatus } | { kind: 'ENDED'; head: RunHead } | { kind: 'UNKNOWN' }
> {
  const head = await dependencies.runLog.readHead(cancel.runId);
  if (head?.board !== cancel.board) return { kind: 'UNKNOWN' };
  if (head.endedAt !== null) return { kind: 'ENDED', head };
  await orderStop(dependencies, cancel);
  await wakeRun(dependencies, cancel.runId);
  return { kind: 'ACCEPTED', status: head.status === 'CANCELLING' ? head.status : 'CANCELLING' };
}
