import { suggestName } from '../../../schemas/suggest-name.ts';
import type { z } from 'zod';
import { deriveAttachmentId, deriveNodeTaskId } from '../../../schemas/ids.ts';
import { renderArtifactReference } from '../../../schemas/parse-artifact-reference.ts';
import type {
  nodeDetail,
  runDeliverables,
  runDetail,
  runEvents,
  runList,
} from '../../../schemas/public-api.ts';
import { renderRunEvent } from '../../../schemas/run-event.ts';
import { detailNode } from '../../domain/run/summarise-node.ts';
import { detailRun } from '../../domain/run/summarise-run.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { limits } from '../../../schemas/limits.ts';
import type { ArtifactStore, DocumentStore } from '../../ports/artifact-store.ts';
import type { RunIndex } from '../../ports/run-index.ts';
import type { RunHead, RunLog } from '../../ports/run-log.ts';
import { listAttemptLogs } from './list-attempt-logs.ts';
import { loadRunState } from './load-run-state.ts';

export interface ShowRunDependencies {
  runLog: RunLog;
  runIndex: RunIndex;
  documents: DocumentStore;
  artifacts: ArtifactStore;
}

/** Commits whose events one page may hold. */
const eventPageEntries = 100;
/** Bytes of events on one page, unless its first commit alone has more. A Lambda answers with at most 6 MB. */
const eventPageBytes = 2 * 1024 * 1024;

/** The head of a run of this board; undefined for any other, whether it exists or not. */
export async function findRun(
  dependencies: Pick<ShowRunDependencies, 'runLog'>,
  board: string,
  runId: string,
): Promise<RunHead | undefined> {
  const head = await dependencies.runLog.readHead(runId);
  return head?.board === board ? head : undefined;
}

export async function listRuns(
  dependencies: ShowRunDependencies,
  board: string,
  page: { limit: number; before: string | null },
): Promise<z.output<typeof runList>> {
  const listed = await dependencies.runIndex.listRuns(board, page);
  const heads = await Promise.all(
    listed.runIds.map((runId) => dependencies.runLog.readHead(runId)),
  );
  return {
    runs: heads
      .filter((head) => head !== undefined)
      .map((head) => ({
        run_id: head.runId,
        plan: head.planName,
        status: head.status,
        started_at: head.createdAt,
        ended_at: head.endedAt,
      })),
    next: listed.next,
  };
}

export async function showRun(
  dependencies: ShowRunDependencies,
  head: RunHead,
): Promise<z.output<typeof runDetail>> {
  const { state, seq } = await loadRunState(dependencies, head);
  // The list of runs tells the same instant.
  return { ...detailRun(state, seq), started_at: head.createdAt };
}

export async function showNode(
  dependencies: ShowRunDependencies,
  head: RunHead,
  nodeId: string,
): Promise<z.output<typeof nodeDetail> | undefined> {
  const { state } = await loadRunState(dependencies, head);
  const detail = detailNode(state, nodeId);
  if (detail === undefined) return undefined;
  const attempts = detail.attempt_list.map(async (attempt) => {
    const recordSha256 = state.attempts.get(attempt.attempt_id)?.recordSha256 ?? null;
    return {
      ...attempt,
      logs: await listAttemptLogs(dependencies, attempt.attempt_id, recordSha256),
    };
  });
  return { ...detail, attempt_list: await Promise.all(attempts) };
}

/** What to write in place of a node that is not there: the nodes that `for_each` made of it, or the nearest name. */
export async function hintNode(
  dependencies: ShowRunDependencies,
  head: RunHead,
  nodeId: string,
): Promise<string> {
  const { state } = await loadRunState(dependencies, head);
  const made = [...state.nodes.values()]
    .filter(({ plan }) => plan.writtenId === nodeId)
    .map(({ plan }) => plan.id)
    .sort();
  if (made.length === 0) return suggestName(nodeId, state.nodes.keys());
  return `; for_each made ${made[0] ?? ''} to ${made.at(-1) ?? ''} of it.`;
}

export async function listEvents(
  dependencies: ShowRunDependencies,
  head: RunHead,
  after: number,
): Promise<z.output<typeof runEvents>> {
  const entries = await dependencies.runLog.readEntries(head.runId, after, eventPageEntries);
  const events: z.output<typeof runEvents>['events'] = [];
  let last = after;
  let bytes = 0;
  for (const { seq, events: committed } of entries) {
    const rendered = committed.map((event) => ({ seq, event: { ...renderRunEvent(event) } }));
    bytes += Buffer.byteLength(JSON.stringify(rendered));
    if (last > after && bytes > eventPageBytes) break;
    events.push(...rendered);
    last = seq;
  }
  // The end is told only once its event was, so that a follower stops after the last one.
  return { events, next: last, status: last >= head.seq ? head.status : 'RUNNING' };
}

/** What was accepted of the deliverables of the plan behind the first `after`. */
export async function listDeliverables(
  dependencies: ShowRunDependencies,
  head: RunHead,
  after: number,
): Promise<z.output<typeof runDeliverables>> {
  const { state } = await loadRunState(dependencies, head);
  const until = after + limits.deliverablePageFiles;
  const found = state.plan.deliverables.slice(after, until).flatMap((wanted) => {
    const accepted = state.nodes.get(wanted.node)?.acceptedAttempt ?? null;
    const stored = accepted === null ? undefined : findOutput(state, accepted, wanted.output);
    return stored === undefined || accepted === null ? [] : [{ wanted, stored, accepted }];
  });
  const deliverables = await Promise.all(
    found.map(async ({ wanted, stored, accepted }) => ({
      node: wanted.node,
      output: wanted.output,
      reference: renderArtifactReference({
        board: state.board,
        taskId: deriveNodeTaskId(state.runId, wanted.node),
        attachmentId: deriveAttachmentId(accepted, wanted),
        sha256: stored.sha256,
      }),
      filename: wanted.filename,
      media_type: stored.mediaType,
      size: stored.size,
      sha256: stored.sha256,
      url: await dependencies.artifacts.presignRead(
        stored.key,
        stored.versionId,
        limits.linkSeconds,
        wanted.filename,
      ),
    })),
  );
  const next = until < state.plan.deliverables.length ? until : null;
  return { run_id: head.runId, status: head.status, deliverables, next };
}

function findOutput(state: RunState, attemptId: string, output: string) {
  return state.attempts.get(attemptId)?.outputs[output];
}
