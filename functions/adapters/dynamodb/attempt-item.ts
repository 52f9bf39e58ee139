import { attemptOutcome, type AttemptOutcome } from '../../../schemas/attempt-outcome.ts';
import { assignment, storedRequest } from '../../../schemas/executor-request.ts';
import { executorKind } from '../../../schemas/registry.ts';
import type { AttemptState, LiveAttempt, PreparedAttempt } from '../../ports/attempt-register.ts';
import { packJson, unpackJson } from './pack-json.ts';
import { readBytes, readOptionalText, readText } from './read-attributes.ts';
import { nameSweepPartition, preparedKey, readKeyId, type Item } from './table-shape.ts';

/** The item of a prepared attempt: what people look for in the table, and the whole of it packed. */
export function encodePrepared(attempt: PreparedAttempt): Item {
  return {
    ...preparedKey(attempt.attemptId),
    run: attempt.runId,
    node: attempt.nodeId,
    executor: attempt.executor,
    prepared: packJson(attempt),
  };
}

export function decodePrepared(item: Item): PreparedAttempt {
  const attempt = unpackJson(readBytes(item, 'prepared')) as PreparedAttempt;
  return {
    ...attempt,
    request: storedRequest.parse(attempt.request),
    assignment: assignment.parse(attempt.assignment),
  };
}

/** The outcome as attributes: its end and reason for people, and the whole of it packed. */
export function encodeOutcome(outcome: AttemptOutcome): { end: string; outcome: Uint8Array } {
  const end = outcome.reason === null ? outcome.end : `${outcome.end} ${outcome.reason}`;
  return { end, outcome: packJson(attemptOutcome.encode(outcome)) };
}

export function decodeAttempt(item: Item): AttemptState {
  return {
    attemptId: readKeyId(readText(item, 'pk')),
    runId: readText(item, 'run'),
    board: readText(item, 'board'),
    kind: executorKind.parse(item['kind']),
    hardDeadline: readText(item, 'hardDeadline'),
    launchedAt: readOptionalText(item, 'launchedAt'),
    workflowToken: readOptionalText(item, 'workflowToken'),
    taskArn: readOptionalText(item, 'taskArn'),
    claimedAt: readOptionalText(item, 'claimedAt'),
    nonceSha256: readOptionalText(item, 'nonceSha256'),
    heartbeatAt: readOptionalText(item, 'heartbeatAt'),
    leaseUntil: readOptionalText(item, 'leaseUntil'),
    returnedAt: readOptionalText(item, 'returnedAt'),
    bodySha256: readOptionalText(item, 'bodySha256'),
    responseSha256: readOptionalText(item, 'responseSha256'),
    recordSha256: readOptionalText(item, 'recordSha256'),
    fencedAt: readOptionalText(item, 'fencedAt'),
    fenceCause: readOptionalText(item, 'fenceCause'),
    outcome:
      item['outcome'] === undefined
        ? null
        : attemptOutcome.parse(unpackJson(readBytes(item, 'outcome'))),
  };
}

/** Assignments and values that open the register of an attempt when it is not there yet. */
export function openRegister(attempt: PreparedAttempt): {
  sets: string[];
  values: Record<string, string>;
} {
  return {
    sets: ['run = :run', 'board = :board', 'kind = :kind', 'hardDeadline = :hardDeadline'],
    values: {
      ':run': attempt.runId,
      ':board': attempt.board,
      ':kind': attempt.kind,
      ':hardDeadline': attempt.hardDeadline,
    },
  };
}

/** The sweep's key of a launched attempt: by its hard deadline, which nothing changes. */
export function encodeLive(attempt: PreparedAttempt): { ':gsi1pk': string; ':gsi1sk': string } {
  return {
    ':gsi1pk': nameSweepPartition('ATTEMPT_LIVE', attempt.attemptId),
    ':gsi1sk': `${attempt.hardDeadline}#${attempt.runId}`,
  };
}

export function decodeLive(item: Item): LiveAttempt {
  const [hardDeadline = '', runId = ''] = readText(item, 'gsi1sk').split('#');
  return { attemptId: readKeyId(readText(item, 'pk')), runId, hardDeadline };
}
