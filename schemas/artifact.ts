import { z } from 'zod';
import { findFileNameFaults } from './file-name-faults.ts';
import { sha256Hex } from './ids.ts';
import { mediaType } from './media-type.ts';

/** A file name that is safe on every file system we write to (A30). */
export const fileName = z
  .string()
  .min(1)
  .superRefine((name, context) => {
    for (const fault of findFileNameFaults(name)) context.addIssue(fault);
  });

/** Immutable stored bytes: where they are, which version, and what they are. `size` in bytes. */
export const artifact = z.strictObject({
  key: z.string().min(1).max(1024),
  versionId: z.string().min(1).max(1024),
  sha256: sha256Hex,
  size: z.int().nonnegative(),
  mediaType,
  filename: fileName.nullable(),
});
export type Artifact = z.infer<typeof artifact>;
