import { z } from 'zod';
import { artifactReference } from './artifact-reference.ts';
import { fileName } from './artifact.ts';
import { attemptEnd, checkVerdict, failureReason } from './attempt-outcome.ts';
import {
  boardName,
  instant,
  nodeId,
  portName,
  runId,
  sha256Hex,
  writtenNodeId,
  attemptId,
  taskId,
} from './ids.ts';
import { limits } from './limits.ts';
import { mediaType } from './media-type.ts';
import { runStatus } from './run-event.ts';

/** A file that was uploaded: its key in the artifact bucket. Without a version, the newest one at submission is taken and pinned. */
export const uploadedFile = z.strictObject({
  key: z.string().regex(/^uploads\/[a-z0-9][a-z0-9_-]{0,63}\/.{1,900}$/u),
  version_id: z.string().min(1).max(1024).optional(),
  filename: fileName.optional(),
  media_type: mediaType.optional(),
});
export type UploadedFile = z.infer<typeof uploadedFile>;

/** A file that a run takes in: an upload, or an attachment of a task by its reference. */
const runInputFile = z.union([uploadedFile, artifactReference]);
export const runInputs = z.record(
  portName,
  z.union([uploadedFile, artifactReference, z.array(runInputFile).min(1)]),
);
export type RunInputs = z.infer<typeof runInputs>;

/** Of a header: printable ASCII without spaces. */
export const idempotencyKey = z.string().regex(/^[\x21-\x7e]{1,200}$/);

/** `POST /boards/{board}/runs`. The plan is an object, or YAML or JSON text. */
export const startRunBody = z.strictObject({
  plan: z.union([z.string().min(1), z.record(z.string(), z.unknown())]),
  inputs: runInputs.optional(),
});

export const startRunAnswer = z.strictObject({
  run_id: runId,
  board: boardName,
  status: runStatus,
  plan_sha256: sha256Hex,
  nodes: z.int(),
  /** Whether this start made the run or found it. */
  replayed: z.boolean(),
});

export const amountsOnWire = z.strictObject({
  COMPUTE_COST: z.string(),
  ATTEMPTS: z.string(),
  WALL_SECONDS: z.string(),
});

export const nodeSummary = z.strictObject({
  id: nodeId,
  /** The task to which what it delivers is attached, once it is accepted. */
  task_id: taskId,
  /** The id as the plan writes it; one for all that a `for_each` makes. */
  written_id: writtenNodeId,
  title: z.string(),
  operation: z.string(),
  state: z.enum(['PENDING', 'READY', 'ACTIVE', 'ACCEPTED', 'FAILED', 'SKIPPED']),
  executor: z.string().nullable(),
  level: z.int().nullable(),
  attempts: z.int(),
  /** From its preparation to its end, starting up included, of all attempts that ended. */
  took_milliseconds: z.int().nonnegative(),
  /** Charged wall seconds, each attempt rounded up, and micro-USD, over all attempts that ended. */
  seconds: z.string(),
  cost_micro_usd: z.string(),
  needs: z.array(nodeId),
  failure: z.strictObject({ reason: z.string(), detail: z.string() }).nullable(),
});

export const runSummary = z.strictObject({
  run_id: runId,
  board: boardName,
  plan: z.string(),
  plan_sha256: sha256Hex,
  status: runStatus,
  detail: z.string(),
  started_at: instant.nullable(),
  ended_at: instant.nullable(),
  seq: z.int(),
  started_by: z.string(),
  budget: z.strictObject({ limit: amountsOnWire, committed: amountsOnWire, spent: amountsOnWire }),
  node_counts: z.record(z.string(), z.int()),
});
export const runDetail = z.strictObject({ ...runSummary.shape, nodes: z.array(nodeSummary) });
export const runList = z.strictObject({
  runs: z.array(
    runSummary.pick({ run_id: true, plan: true, status: true, started_at: true, ended_at: true }),
  ),
  next: z.string().nullable(),
});

/** What a command of a level-2 attempt printed. */
export const attemptLog = z.strictObject({
  command_id: z.string(),
  stream: z.enum(['stdout', 'stderr']),
  sha256: sha256Hex,
  /** Bytes that were kept. */
  size: z.int().nonnegative(),
  /** Whether the command printed more than was kept. */
  truncated: z.boolean(),
  /** Its beginning on one line, without control characters; null when it is too long to look at or holds a secret. */
  head: z.string().nullable(),
  url: z.url(),
});

export const nodeAttempt = z.strictObject({
  attempt_id: z.string(),
  number: z.int(),
  executor: z.string(),
  executor_version: z.string(),
  level: z.int(),
  kind: z.string(),
  /** Where Step Functions shows it: `<prefix>-<workflow>`, and the name of the execution there. */
  workflow: z.enum(['attempt-function', 'attempt-group', 'attempt-fargate']),
  execution: attemptId,
  state: z.string(),
  end: attemptEnd.nullable(),
  reason: failureReason.nullable(),
  detail: z.string(),
  passed_over: z.array(z.strictObject({ executor: z.string(), reason: z.string() })),
  prepared_at: instant,
  ended_at: instant.nullable(),
  /** What each of the thirteen checks said; null when nothing of the attempt was admitted. */
  checks: z.array(checkVerdict.pick({ check: true, verdict: true })).nullable(),
  /** Empty unless commands of it printed something. */
  logs: z.array(attemptLog),
});
export const nodeDetail = z.strictObject({
  ...nodeSummary.shape,
  attempt_list: z.array(nodeAttempt),
});

/** `GET …/events?after=`: the events of commits after that sequence number; `next` goes into the next call. */
export const runEvents = z.strictObject({
  events: z.array(z.strictObject({ seq: z.int(), event: z.record(z.string(), z.unknown()) })),
  next: z.int(),
  status: runStatus,
});

export const deliverableFile = z.strictObject({
  node: nodeId,
  output: portName,
  /** As which attachment of the node's task it is known for good. */
  reference: artifactReference,
  filename: z.string(),
  media_type: mediaType,
  size: z.int(),
  sha256: sha256Hex,
  url: z.url(),
});
export const runDeliverables = z.strictObject({
  run_id: runId,
  status: runStatus,
  deliverables: z.array(deliverableFile),
  /** Goes into the next call as `after`; null on the last page. */
  next: z.int().nullable(),
});

export const cancelRunBody = z.strictObject({
  cause: z
    .string()
    .min(1)
    .max(limits.detailCharacters)
    // Half a surrogate pair has no canonical form, and the cause stands in the log (RFC 8785).
    .refine((text) => text.isWellFormed(), 'cause holds half a character')
    .optional(),
});
export const cancelRunAnswer = z.strictObject({ run_id: runId, status: runStatus });

export const prepareUploadBody = z.strictObject({
  filename: fileName,
  media_type: mediaType,
  size: z.int().nonnegative().max(limits.attachmentBytes),
  sha256: sha256Hex,
});
/** Send the bytes with PUT to `url` with exactly these headers; with `url` null they are stored already. */
export const prepareUploadAnswer = z.strictObject({
  key: z.string(),
  url: z.url().nullable(),
  headers: z.record(z.string(), z.string()),
  version_id: z.string().nullable(),
});

/** What a grant may allow on a board (E20). */
export const grantAction = z.enum(['START', 'READ', 'CANCEL', 'UPLOAD', 'GRANT']);
export type GrantAction = z.infer<typeof grantAction>;
/** A role or user ARN without a session name. */
export const principalArn = z
  .string()
  .regex(
    /^arn:aws[a-z-]*:iam::[0-9]{12}:(root|user\/[\w+=,.@/-]{1,512}|role\/[\w+=,.@/-]{1,512})$/,
  );
export const boardAnswer = z.strictObject({ board: boardName, created: z.boolean() });
export const grantBody = z.strictObject({ principal: principalArn, actions: z.array(grantAction) });
export const grantAnswer = z.strictObject({
  board: boardName,
  principal: principalArn,
  actions: z.array(grantAction),
});
