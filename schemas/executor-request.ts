import { z } from 'zod';
import { fileName } from './artifact.ts';
import { digestCanonical } from './digest.ts';
import { actionId, actionType, attemptId, nodeId, portName, runId, sha256Hex } from './ids.ts';
import { jsonObject } from './json.ts';
import { mediaType } from './media-type.ts';
import { budgetDimension } from './money.ts';
import { ownedScope, protectedGlobs } from './owned-scope.ts';

/** A token on the wire: 43 characters of base64url, an HMAC of 32 bytes (E47). */
export const token = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

/** Exact bytes: the object's key, its version and its SHA-256 (E51). */
export const resolvedInput = z.strictObject({
  reference: z.string().min(1).max(1024),
  version: z.string().min(1).max(1024),
  content_hash: sha256Hex,
});

const common = {
  run_id: runId,
  action_id: actionId,
  attempt_id: attemptId,
  node_id: nodeId,
  node_contract_version: z.int().positive(),
  action_type: actionType,
  /** The last one is the assignment: reference `assignment`, version = the contract's version. */
  resolved_inputs: z.array(resolvedInput),
  owned_scope: ownedScope.refine(
    (scope) => protectedGlobs.every((pattern) => scope.exclude.includes(pattern)),
    'does not exclude every protected path',
  ),
  /** Null without a repository. */
  base_commit: z
    .string()
    .regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/)
    .nullable(),
  worktree_id: z.string().min(1).max(80).nullable(),
  command_allowlist: z.array(z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/)),
  /** `name@sha256:<hex>` of the environment; `functions@<version>` for controller code (E57). */
  environment_version: z.string().min(1).max(200),
  timeout_seconds: z.int().positive(),
  budget_commitment: z.strictObject({
    dimension: budgetDimension,
    hard_limit: z.string().regex(/^(0|[1-9][0-9]{0,17})$/),
  }),
  output_schema_version: z.literal(1),
  policy_version: z.int().positive(),
};

/** What an executor gets, once, at its claim. Unknown fields are refused on both sides (E14, E43–E62). */
export const executorRequest = z.strictObject({
  ...common,
  attempt_token: token,
  cancellation_token: token,
});
export type ExecutorRequest = z.infer<typeof executorRequest>;

/**
 * The form that is stored and hashed: digests in the tokens' place (E101). Both are null for a function, which is
 * controller code and is given no token.
 */
export const storedRequest = z.strictObject({
  ...common,
  attempt_token_sha256: sha256Hex.nullable(),
  cancellation_token_sha256: sha256Hex.nullable(),
});
export type StoredRequest = z.infer<typeof storedRequest>;

/** The canonical hash that stands for the request in the log (E43). */
export function digestRequest(request: StoredRequest): string {
  return digestCanonical(request);
}

/**
 * What the attempt has to do with its inputs. Bound into the request by its digest, as the resolved input named
 * `assignment`.
 */
export const assignment = z.strictObject({
  operation: z.string(),
  executor: z.string(),
  executor_version: z.string(),
  commands: z.array(z.string()),
  params: jsonObject,
  /** Input name → places in `resolved_inputs`, in order; `list` says whether the node sees one file or a list. */
  inputs: z.record(
    portName,
    z.strictObject({
      list: z.boolean(),
      files: z.array(
        z.strictObject({
          index: z.int().nonnegative(),
          filename: fileName.nullable(),
          media_type: mediaType,
          size: z.int().nonnegative(),
        }),
      ),
    }),
  ),
  outputs: z.record(
    portName,
    z.strictObject({ media_type: mediaType, max_bytes: z.int().positive() }),
  ),
});
export type Assignment = z.infer<typeof assignment>;

/** The `reference` under which a request carries its assignment. */
export const assignmentReference = 'assignment';
