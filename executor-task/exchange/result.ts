import { z } from 'zod';

import { commandRecord } from '../../schemas/attempt-record.ts';
import { attemptId, portName, sha256Hex } from '../../schemas/ids.ts';
import { exchangePath } from './job.ts';

export const commandResult = commandRecord.extend({
  stopped: z.boolean(),
  wall_milliseconds: z.int().nonnegative(),
  /** Most processes and threads seen at once. */
  processes: z.int().nonnegative(),
  stdout_file: exchangePath,
  stderr_file: exchangePath,
});
export type CommandResult = z.infer<typeof commandResult>;

/** A system call that the policy calls hostile (E94). */
export const syscallViolation = z.strictObject({
  command_id: z.string(),
  syscall: z.int(),
  /** Null for a number that the architecture's table does not have. */
  syscall_name: z.string().nullable(),
  architecture: z.int(),
  pid: z.int(),
});

/** An output as the supervisor copied and measured it, after every process of the attempt was gone. */
export const collectedOutput = z.strictObject({
  name: portName,
  file: exchangePath,
  size: z.int().nonnegative(),
  sha256: sha256Hex,
});

export const refusedOutput = z.strictObject({ path: z.string(), reason: z.string() });

/** What the workbench did. `refused` says why nothing was run, or nothing more. */
export const result = z.strictObject({
  attempt_id: attemptId.nullable(),
  commands: z.array(commandResult),
  outputs: z.array(collectedOutput),
  /** Declared outputs that were not taken, and undeclared files that were dropped. */
  refused_outputs: z.array(refusedOutput),
  violations: z.array(syscallViolation),
  stopped: z.boolean(),
  sandbox: z
    .strictObject({
      profile: z.enum(['namespaced', 'fargate']),
      kernel_identity: z.string(),
      limit_mechanisms: z.record(z.string(), z.string()),
    })
    .nullable(),
  refused: z
    .strictObject({
      code: z.enum([
        'JOB_INVALID',
        'SANDBOX_UNAVAILABLE',
        'ENVIRONMENT_INVALID',
        'COMMAND_NOT_ALLOWED',
        'TOOL_CHANGED',
        'INPUT_CHANGED',
        'SANDBOX_FAILED',
      ]),
      reasons: z.array(z.string()),
    })
    .nullable(),
});
export type Result = z.infer<typeof result>;
export type ResultRefusal = NonNullable<Result['refused']>;
