import { renderExecutorVersion } from '../../../schemas/registry.ts';
import { deriveAttachmentId, deriveNodeTaskId } from '../../../schemas/ids.ts';
import type { Attachment } from '../../ports/attachments.ts';
import type { RunAttempt, RunState } from './run-state.ts';

/**
 * The deliverables of nodes that these attempts had accepted, as attachments of the nodes' tasks. The same state gives
 * the same records, whenever it is asked.
 */
export function findAttachments(state: RunState, attemptIds: readonly string[]): Attachment[] {
  return attemptIds.flatMap((attemptId) => {
    const attempt = state.attempts.get(attemptId);
    const node = attempt === undefined ? undefined : state.nodes.get(attempt.nodeId);
    if (attempt === undefined || node?.acceptedAttempt !== attemptId) return [];
    return describeDeliverables(state, attempt);
  });
}

function describeDeliverables(state: RunState, attempt: RunAttempt): Attachment[] {
  const { attemptId, nodeId, outputs, executor, executorVersion, endedAt, preparedAt } = attempt;
  const wanted = state.graph.deliverables.get(nodeId) ?? [];
  return wanted.flatMap(({ output, filename }) => {
    const stored = outputs[output];
    if (stored === undefined) return [];
    return [
      {
        board: state.board,
        taskId: deriveNodeTaskId(state.runId, nodeId),
        attachmentId: deriveAttachmentId(attemptId, { output, filename }),
        filename,
        mediaType: stored.mediaType,
        size: stored.size,
        sha256: stored.sha256,
        key: stored.key,
        versionId: stored.versionId,
        uploadedBy: renderExecutorVersion({ id: executor, version: executorVersion }),
        createdAtSeconds: Math.floor(Date.parse(endedAt ?? preparedAt) / 1_000),
        attemptId,
      },
    ];
  });
}
