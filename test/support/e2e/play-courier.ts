import { createHash, randomBytes } from 'node:crypto';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { AttemptRecord } from '../../../schemas/attempt-record.ts';
import { claimAnswer, type ClaimAnswer } from '../../../schemas/executor-api.ts';
import type { ExecutorResponse } from '../../../schemas/executor-response.ts';
import { awaitTask } from './task-processes.ts';
import type { E2eStack } from './use-stack.ts';

export interface CourierAnswer {
  status: number;
  body: { code?: string; answer?: string } & Record<string, unknown>;
}

export async function callExecutorApi(
  stack: E2eStack,
  path: 'claim' | 'heartbeat' | 'renew' | 'submit',
  body: unknown,
): Promise<CourierAnswer> {
  const response = await fetch(new URL(path, stack.outputs.ExecutorApiUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as CourierAnswer['body'] };
}

/** The ticket as the task was told it, the one secret that stands in an override. */
export async function readTicket(stack: E2eStack, attemptId: string): Promise<string> {
  const task = await awaitTask(stack, attemptId);
  const courier = task.overrides?.containerOverrides?.find(({ name }) => name === 'courier');
  const ticket = courier?.environment?.find(({ name }) => name === 'WINDLASS_CLAIM_TICKET')?.value;
  if (ticket === undefined) throw new Error(`no ticket in the override of ${attemptId}`);
  return ticket;
}

/** Claims an attempt in the place of its courier, whose task must be held back. */
export async function claimAttempt(
  stack: E2eStack,
  attemptId: string,
): Promise<{ claim: ClaimAnswer; ticket: string; nonce: string }> {
  const ticket = await readTicket(stack, attemptId);
  const nonce = randomBytes(32).toString('base64url');
  const answer = await callExecutorApi(stack, 'claim', {
    attempt_id: attemptId,
    claim_ticket: ticket,
    nonce,
  });
  if (answer.status !== 200) throw new Error(`claim refused: ${String(answer.body.code)}`);
  return { claim: claimAnswer.parse(answer.body), ticket, nonce };
}

/** S3 with the credentials that the claim gave, and nothing else. */
export function openAttemptS3(stack: E2eStack, claim: ClaimAnswer): S3Client {
  const { access_key_id, secret_access_key, session_token } = claim.credentials;
  return new S3Client(
    stack.configureAs({
      accessKeyId: access_key_id,
      secretAccessKey: secret_access_key,
      sessionToken: session_token,
    }),
  );
}

/** Stores bytes as the one output of the attempt; gives what a courier would record of it. */
export async function storeOutput(
  stack: E2eStack,
  claim: ClaimAnswer,
  output: string,
  bytes: Buffer,
): Promise<AttemptRecord['outputs'][number]> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const key = `${claim.upload.prefix}${sha256}`;
  const put = await openAttemptS3(stack, claim).send(
    new PutObjectCommand({
      Bucket: claim.upload.bucket,
      Key: key,
      Body: bytes,
      IfNoneMatch: '*',
      ChecksumSHA256: Buffer.from(sha256, 'hex').toString('base64'),
    }),
  );
  return { output, key, version_id: put.VersionId ?? '', sha256, size: bytes.length };
}

/** A body for `submit` that says that the work is done, with this one output. */
export function composeSubmission(
  claim: ClaimAnswer,
  outputs: AttemptRecord['outputs'],
): { attempt_id: string; session_key: string; response: ExecutorResponse; record: AttemptRecord } {
  const { request, assignment } = claim;
  const at = new Date().toISOString();
  const record: AttemptRecord = {
    schema_version: 1,
    attempt_id: request.attempt_id,
    producer: 'courier',
    environment_version: request.environment_version,
    inputs_verified: true,
    commands: [],
    outputs,
    violations: [],
    sandbox: null,
    started_at: at,
    finished_at: at,
  };
  const response: ExecutorResponse = {
    run_id: request.run_id,
    action_id: request.action_id,
    attempt_id: request.attempt_id,
    attempt_token: request.attempt_token,
    self_reported_status: 'COMPLETED',
    artefacts: outputs.map(({ output, sha256 }) => ({
      type: 'FILE',
      reference: `outputs/${output}`,
      content_hash: sha256,
    })),
    observations: [],
    changed_paths: [],
    cost_report: {
      committed: request.budget_commitment.hard_limit,
      actual: '0',
      units: 'micro-USD',
    },
    started_at: at,
    finished_at: at,
    executor_version: assignment.executor_version,
    response_schema_version: 1,
  };
  return { attempt_id: request.attempt_id, session_key: claim.session_key, response, record };
}
