import { randomBytes } from 'node:crypto';
import { digestBytes, digestCanonical } from '../../../schemas/digest.ts';
import type { ClaimAnswer } from '../../../schemas/executor-api.ts';
import { executorRequest, type Assignment } from '../../../schemas/executor-request.ts';
import { protectedGlobs } from '../../../schemas/owned-scope.ts';

export const attemptId = 'att_01J9ZZZZZZZZZZZZZZZZZZZZZZ';

/** What the controller signs and tells; one secret of each kind, to be looked for afterwards. */
export interface ClaimSecrets {
  ticket: string;
  sessionKey: string;
  attemptToken: string;
  cancellationToken: string;
  secretAccessKey: string;
  sessionToken: string;
}

export function inventSecrets(): ClaimSecrets {
  const invent = () => randomBytes(32).toString('base64url');
  return {
    ticket: invent(),
    sessionKey: invent(),
    attemptToken: invent(),
    cancellationToken: invent(),
    secretAccessKey: invent(),
    sessionToken: invent(),
  };
}

/** A claim for one tool that reads the inputs of the list `texts` and gives `index` and `copy`. */
export function composeClaim(
  url: string,
  secrets: ClaimSecrets,
  inputs: ReadonlyMap<string, Buffer>,
): ClaimAnswer {
  const files = [...inputs].map(([key, bytes], index) => ({ key, bytes, index }));
  const assignment: Assignment = {
    operation: 'term-index',
    executor: 'documents-tools',
    executor_version: 'documents-tools@1.0.0',
    commands: ['TERM_INDEX'],
    params: { top: 5 },
    inputs: {
      texts: {
        list: true,
        files: files.map(({ index, bytes }) => ({
          index,
          filename: null,
          media_type: 'application/json',
          size: bytes.length,
        })),
      },
    },
    outputs: {
      index: { media_type: 'application/json', max_bytes: 1024 * 1024 },
      copy: { media_type: 'text/plain', max_bytes: 1024 * 1024 },
    },
  };
  return {
    request: executorRequest.parse({
      run_id: 'run_01J9ZZZZZZZZZZZZZZZZZZZZZZ',
      action_id: 'index.EXECUTE',
      attempt_id: attemptId,
      node_id: 'index',
      node_contract_version: 1,
      action_type: 'EXECUTE',
      resolved_inputs: [
        ...files.map(({ key, bytes }) => ({
          reference: key,
          version: 'v1',
          content_hash: digestBytes(bytes),
        })),
        { reference: 'assignment', version: '1', content_hash: digestCanonical(assignment) },
      ],
      owned_scope: { include: [], exclude: [...protectedGlobs] },
      base_commit: null,
      worktree_id: null,
      command_allowlist: ['TERM_INDEX'],
      environment_version: `documents-v1@sha256:${'a'.repeat(64)}`,
      timeout_seconds: 60,
      budget_commitment: { dimension: 'COMPUTE_COST', hard_limit: '1000' },
      output_schema_version: 1,
      policy_version: 1,
      attempt_token: secrets.attemptToken,
      cancellation_token: secrets.cancellationToken,
    }),
    assignment,
    session_key: secrets.sessionKey,
    inputs: files.map(({ key, bytes, index }) => ({
      name: 'texts',
      index,
      url: `${url}/store/${key}?X-Amz-Signature=first`,
      sha256: digestBytes(bytes),
      size: bytes.length,
    })),
    credentials: {
      access_key_id: 'ASIAEXAMPLE',
      secret_access_key: secrets.secretAccessKey,
      session_token: secrets.sessionToken,
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    },
    upload: {
      bucket: 'store',
      prefix: `attempts/${attemptId}/sha256/`,
      region: 'eu-central-1',
    },
    heartbeat_seconds: 1,
    lease_seconds: 60,
    hard_deadline: new Date(Date.now() + 600_000).toISOString(),
  };
}
