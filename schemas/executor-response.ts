import { z } from 'zod';
import { actionId, attemptId, instant, portName, runId, sha256Hex } from './ids.ts';
import { token } from './executor-request.ts';

/** What an executor says of itself; never evidence (E64). */
export const responseStatus = z.enum([
  'COMPLETED',
  'PARTIAL',
  'FAILED',
  'BLOCKED',
  'CANCELLED',
  'TIMED_OUT',
  'REFUSED',
]);
export type ResponseStatus = z.infer<typeof responseStatus>;

export const artefactType = z.enum([
  'GIT_CANDIDATE',
  'PATCH',
  'FILE',
  'DOCUMENT',
  'REPORT',
  'LOG',
  'SBOM',
]);

/** `outputs/<name>`: an output of the node's contract. */
export const outputReference = z.string().regex(/^outputs\/[a-z][a-z0-9_-]{0,39}$/);

export const artefact = z.strictObject({
  type: artefactType,
  reference: z.union([outputReference, z.string().min(1).max(1024)]),
  content_hash: sha256Hex,
});

const note = z.string().max(2000);

/** Corroboration only: the controller's own record decides (E42, E66). */
export const observation = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('COMMAND_RESULT'),
    command_id: z.string().max(64),
    exit_code: z.int(),
    stdout_hash: sha256Hex,
    stderr_hash: sha256Hex,
  }),
  z.strictObject({
    type: z.literal('TEST_RESULT'),
    test_id: z.string().max(200),
    passed: z.boolean(),
  }),
  z.strictObject({
    type: z.literal('RESOURCE_USAGE'),
    cpu_milliseconds: z.int().nonnegative(),
    max_rss_bytes: z.int().nonnegative(),
  }),
  z.strictObject({
    type: z.literal('MODEL_CALL'),
    model: z.string().max(200),
    input_tokens: z.int().nonnegative(),
    output_tokens: z.int().nonnegative(),
  }),
  z.strictObject({ type: z.literal('NETWORK_ATTEMPT'), detail: note }),
  z.strictObject({ type: z.literal('SANDBOX_EVENT'), detail: note }),
  z.strictObject({ type: z.literal('NOTE'), detail: note }),
]);

const common = {
  run_id: runId,
  action_id: actionId,
  attempt_id: attemptId,
  self_reported_status: responseStatus,
  artefacts: z.array(artefact).max(100),
  observations: z.array(observation).max(200),
  changed_paths: z.array(z.string().min(1).max(1024)).max(10_000),
  cost_report: z.strictObject({
    committed: z.string().regex(/^(0|[1-9][0-9]{0,17})$/),
    actual: z.string().regex(/^(0|[1-9][0-9]{0,17})$/),
    units: z.string().max(40),
  }),
  started_at: instant,
  finished_at: instant,
  /** `id@version` of a registered executor (E70). */
  executor_version: z.string().min(1).max(120),
  response_schema_version: z.literal(1),
};

/** An untrusted observation as a whole (E63–E71). */
export const executorResponse = z.strictObject({ ...common, attempt_token: token });
export type ExecutorResponse = z.infer<typeof executorResponse>;

/** The stored form: the token's digest in its place; null for a function, which has no token (E101). */
export const storedResponse = z.strictObject({
  ...common,
  attempt_token_sha256: sha256Hex.nullable(),
});
export type StoredResponse = z.infer<typeof storedResponse>;

/** The unit that `cost_report.units` names for each dimension (E68). */
export const costUnits = {
  COMPUTE_COST: 'micro-USD',
  ATTEMPTS: 'attempts',
  WALL_SECONDS: 'seconds',
} as const;

/** The output's name in `outputs/<name>`; undefined for any other reference. */
export function parseOutputReference(reference: string): string | undefined {
  const name = reference.startsWith('outputs/') ? reference.slice('outputs/'.length) : undefined;
  return name !== undefined && portName.safeParse(name).success ? name : undefined;
}
