import { digestBytes } from '../../../schemas/digest.ts';
import type { ExpandedPlan } from '../../../schemas/expanded-plan.ts';
import { genesisHash } from '../../../schemas/run-log.ts';
import type { RunStatus } from '../../../schemas/run-event.ts';
import type { Clock } from '../../ports/clock.ts';
import { PermanentError } from '../../ports/errors.ts';
import type { RunLog } from '../../ports/run-log.ts';
import type { RunStarts } from '../../ports/run-starts.ts';
import type { WorkflowEngine } from '../../ports/workflow-engine.ts';

export interface BeginRunDependencies {
  runStarts: RunStarts;
  runLog: RunLog;
  workflows: WorkflowEngine;
  clock: Clock;
}

export interface RunRequest {
  /** Parts whose hash is the idempotency scope. */
  scope: string[];
  bodySha256: string;
  runId: string;
  board: string;
  startedBy: string;
  plan: ExpandedPlan;
  planSha256: string;
}

export type BeginAnswer =
  | {
      kind: 'STARTED' | 'REPLAYED';
      runId: string;
      status: RunStatus;
      planSha256: string;
      nodes: number;
    }
  | { kind: 'BODY_DIFFERS'; runId: string };

export function nameStartKey(scope: string[]): string {
  return digestBytes(JSON.stringify(scope));
}

/** Begins a run at most once for its scope; a repeated call starts a workflow that is missing and answers the first run (p3, p4). */
export async function beginRun(
  dependencies: BeginRunDependencies,
  request: RunRequest,
): Promise<BeginAnswer> {
  const createdAt = dependencies.clock.now().toISOString();
  const answer = await dependencies.runStarts.begin({
    key: nameStartKey(request.scope),
    bodySha256: request.bodySha256,
    head: {
      runId: request.runId,
      board: request.board,
      planSha256: request.planSha256,
      planName: request.plan.name,
      nodeCount: request.plan.nodes.length,
      startedBy: request.startedBy,
      createdAt,
      status: 'STARTING',
      seq: 0,
      hash: genesisHash,
      commitId: 'none',
      generation: 1,
      wakeAt: createdAt,
      endedAt: null,
    },
    firstMessage: {
      type: 'START',
      id: `start-${request.runId}`,
      at: createdAt,
      planSha256: request.planSha256,
      startedBy: request.startedBy,
    },
  });
  if (answer.kind === 'BODY_DIFFERS') return answer;
  return resumeStart(dependencies, answer.runId, answer.kind);
}

/** Answers with the run that a key made, and starts its workflow if that never happened. */
export async function resumeStart(
  dependencies: Pick<BeginRunDependencies, 'runLog' | 'workflows'>,
  runId: string,
  kind: 'STARTED' | 'REPLAYED',
): Promise<BeginAnswer> {
  const head = await dependencies.runLog.readHead(runId);
  if (head === undefined) throw new PermanentError(`the run ${runId} has a start but no head`);
  if (head.seq === 0)
    await dependencies.workflows.startRun({
      runId,
      board: head.board,
      generation: head.generation,
    });
  return { kind, runId, status: head.status, planSha256: head.planSha256, nodes: head.nodeCount };
}
