import { z } from 'zod';

import { attemptId, portName, sha256Hex } from '../../schemas/ids.ts';
import { jsonObject } from '../../schemas/json.ts';
import { mediaType } from '../../schemas/media-type.ts';

export const commandId = z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/);
export const environmentName = z.string().regex(/^[a-z][a-z0-9-]{0,63}$/);

/** A path inside the exchange folder: no leading slash, no `.` or `..`. */
export const exchangePath = z
  .string()
  .max(300)
  .regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/);

export const jobInput = z
  .strictObject({
    name: portName,
    /** Whether the command sees one file, or a folder with 0001, 0002 … */
    list: z.boolean(),
    files: z.array(
      z.strictObject({
        file: exchangePath,
        filename: z.string().min(1).max(255),
        media_type: mediaType,
        sha256: sha256Hex,
      }),
    ),
  })
  .refine(
    (input) => input.list || input.files.length === 1,
    'an input that is no list has one file',
  );

export const jobOutput = z.strictObject({
  name: portName,
  media_type: mediaType,
  max_bytes: z.int().positive(),
});

/** Tighter limits than the sandbox's own; what is absent stays as it is. */
export const jobLimits = z.strictObject({
  cpu_seconds: z.int().positive().optional(),
  memory_bytes: z.int().positive().optional(),
  processes: z.int().positive().optional(),
  file_bytes: z.int().positive().optional(),
  tree_bytes: z.int().positive().optional(),
  output_bytes: z.int().positive().optional(),
});

/** What the courier asks of the workbench: one attempt's work, once. */
export const job = z.strictObject({
  attempt_id: attemptId,
  environment: environmentName,
  /** Run in this order, each only if the one before ended with exit code 0. */
  commands: z
    .array(
      z.strictObject({
        command_id: commandId,
        timeout_seconds: z.int().positive(),
        params: jsonObject,
      }),
    )
    .min(1),
  inputs: z.array(jobInput),
  outputs: z.array(jobOutput),
  limits: jobLimits,
});
export type Job = z.infer<typeof job>;
