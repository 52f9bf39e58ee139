import { z } from 'zod';
import { sha256Hex } from './ids.ts';
import { mediaType } from './media-type.ts';

/** A file name that is safe on every file system we write to (A30). */
export const fileName = z
  .string()
  .min(1)
  .refine((name) => Buffer.byteLength(name) <= 255, 'is longer than 255 bytes')
  .refine(
    // Controls of C1 steer terminals, those of direction make "x.exe" look like another name.
    (name) => !/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069/\\]/.test(name),
    'holds a separator or a control character',
  )
  .refine((name) => name.isWellFormed(), 'holds half a character')
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
