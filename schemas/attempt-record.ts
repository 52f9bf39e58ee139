import { z } from 'zod';
import { attemptId, instant, portName, sha256Hex } from './ids.ts';

/** Stored output of a command: hash and size of the kept bytes, and whether more came than was kept. */
export const capturedStream = z.strictObject({
  sha256: sha256Hex,
  size: z.int().nonnegative(),
  truncated: z.boolean(),
});

/** What the command executor measured of one command (E15, E90). */
export const commandRecord = z.strictObject({
  command_id: z.string(),
  exit_code: z.int().nullable(),
  signal: z.string().nullable(),
  timed_out: z.boolean(),
  /** Limits of the sandbox that it ran into, for the whole process tree (E88). */
  exceeded_limits: z.array(z.enum(['wall', 'cpu', 'memory', 'processes', 'storage'])),
  stdout: capturedStream,
  stderr: capturedStream,
  started_at: instant,
  finished_at: instant,
  cpu_milliseconds: z.int().nonnegative(),
  max_rss_bytes: z.int().nonnegative(),
});
export type CommandRecord = z.infer<typeof commandRecord>;

/** An output that was hashed and stored by the trusted side, in the attempt's own prefix. */
export const storedOutput = z.strictObject({
  output: portName,
  key: z.string().min(1),
  /** Null when the key was taken: it is written once, so it has one version, which the controller finds. */
  version_id: z.string().min(1).nullable(),
  sha256: sha256Hex,
  size: z.int().nonnegative(),
  /** Forbidden content that the controller found in the bytes it stored (E36); absent where it did not store them itself. */
  content_findings: z.array(z.string().max(80)).max(20).optional(),
});

export const violationRecord = z.strictObject({
  kind: z.string().min(1).max(80),
  detail: z.string().max(500),
  evidence_sha256: sha256Hex,
});

/** What a trusted component, the courier or the controller, saw and measured in one attempt. Never what an executor says. */
export const attemptRecord = z.strictObject({
  schema_version: z.literal(1),
  attempt_id: attemptId,
  producer: z.enum(['courier', 'controller']),
  environment_version: z.string(),
  inputs_verified: z.boolean(),
  commands: z.array(commandRecord),
  outputs: z.array(storedOutput),
  violations: z.array(violationRecord),
  sandbox: z
    .strictObject({
      profile: z.enum(['fargate', 'namespaced']),
      kernel_identity: z.string(),
      limit_mechanisms: z.record(z.string(), z.string()),
    })
    .nullable(),
  started_at: instant,
  finished_at: instant,
});
export type AttemptRecord = z.infer<typeof attemptRecord>;
