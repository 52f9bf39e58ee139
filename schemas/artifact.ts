import { z } from 'zod';
import { sha256Hex } from './ids.ts';
import { mediaType } from './media-type.ts';

/** A file name that is safe on every file system we write to (A30). */
export const fileName = z
  .string()
  .min(1)
  .refine((name) => Buffer.byteLength(name) <= 255, 'is longer than 255 bytes')
  .refine(
    (name) => !/[\u0000-\u001f\u007f/\\]/.test(name),
    'holds a separator or a control character',
  )
  .refine((name) => !name.startsWith('.') && !name.startsWith('-'), 'begins with a dot or a dash');

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
