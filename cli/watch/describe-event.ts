import { parseRunEvent, type RunEvent } from '../../schemas/run-event.ts';
import { cleanText } from '../output/clean-text.ts';
import { formatBytes } from '../output/format-bytes.ts';
import { formatClock, formatMicroUsd } from '../output/format-values.ts';
import type { RecordedEvent } from './follow-events.ts';

/** Attempt id → what it is an attempt of, as the events seen so far tell. */
export type KnownAttempts = Map<string, string>;

/** One line in words. An event of a later version is shown as it came, so that nothing is ever left out. */
export function describeRecordedEvent(recorded: RecordedEvent, known: KnownAttempts): string {
  let event: RunEvent;
  try {
    event = parseRunEvent(recorded.event);
  } catch {
    return cleanText(`#${String(recorded.seq)} ${JSON.stringify(recorded.event)}`);
  }
  return cleanText(`${formatClock(event.at)} ${describeEvent(event, known)}`);
}

/** Remembers the attempt of an ATTEMPT_PREPARED, so that later lines name the node and not the id. */
function describeEvent(event: RunEvent, known: KnownAttempts): string {
  const name = (attempt: string) => known.get(attempt) ?? attempt;
  switch (event.type) {
    case 'RUN_STARTED':
      return `run started by ${event.startedBy}`;
    case 'ATTEMPT_PREPARED': {
      const attempt = `${event.nodeId} attempt ${String(event.attemptNumber)}`;
      known.set(event.attemptId, attempt);
      const cost = formatMicroUsd(event.commitment.COMPUTE_COST.toString());
      return `${attempt} prepared for ${event.executor} (level ${String(event.level)}, up to ${cost})`;
    }
    case 'ATTEMPT_DISPATCHED':
      return `${name(event.attemptId)} started`;
    case 'ATTEMPT_ENDED':
      return `${name(event.attemptId)} ${describeOutcome(event)}`;
    case 'NODE_ACCEPTED':
      return `${event.nodeId} accepted`;
    case 'NODE_RETRY_SCHEDULED':
      return `${event.nodeId} will be tried again at ${formatClock(event.notBefore)}`;
    case 'NODE_FAILED':
      return `${event.nodeId} FAILED: ${event.reason}${event.detail === '' ? '' : `: ${event.detail}`}`;
    case 'NODE_SKIPPED':
      return `${event.nodeId} skipped: ${skipCauses[event.cause]}`;
    case 'RESPONSE_REJECTED':
      return `${name(event.attemptId)}: a response was rejected: ${event.code}`;
    case 'SANDBOX_VIOLATION_RECORDED':
      return `${name(event.attemptId)}: SANDBOX VIOLATION: ${event.kind}`;
    case 'RUN_CANCEL_REQUESTED':
      return `cancel requested by ${event.by}: ${event.cause}`;
    case 'MESSAGE_QUARANTINED':
      return `message ${event.messageId} was set aside: ${event.error}`;
    case 'RUN_ENDED':
      return `run ${event.status}${event.detail === '' ? '' : `: ${event.detail}`}`;
  }
}

const skipCauses = {
  NEED_FAILED: 'something it needs failed',
  RUN_STOPPED: 'the run stopped first',
  RUN_CANCELLED: 'the run was cancelled',
} as const;

function describeOutcome(event: Extract<RunEvent, { type: 'ATTEMPT_ENDED' }>): string {
  const { outcome } = event;
  if (outcome.end !== 'SUCCEEDED') {
    const reason = outcome.reason === null ? outcome.end : `${outcome.end} (${outcome.reason})`;
    const checks = outcome.failedChecks.length === 0 ? '' : ` [${outcome.failedChecks.join(', ')}]`;
    return `${reason}${outcome.detail === '' ? '' : `: ${outcome.detail}`}${checks}`;
  }
  const files = Object.entries(outcome.outputs).map(
    ([output, artifact]) => `${output} ${formatBytes(artifact.size)}`,
  );
  const [cost, seconds] = [event.settlement.COMPUTE_COST, event.settlement.WALL_SECONDS];
  return `succeeded, charged ${seconds.toString()} s and ${formatMicroUsd(cost.toString())}${files.length === 0 ? '' : `: ${files.join(', ')}`}`;
}
