import { z } from 'zod';

const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

const plainText = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !unprintable.test(text) && text.isWellFormed());

/**
 * A stored name as another program may have chosen it: never a path and nothing that steers a terminal. A dot or dash
 * in front is harmless here, as no file is made with this name.
 */
const storedName = plainText(255)
  .min(1)
  .refine((name) => !/[/\\]/.test(name) && name !== '.' && name !== '..')
  .refine((name) => Buffer.byteLength(name) <= 255);

const storedMediaType = plainText(255).regex(
  /^[!#$&^_.+\-A-Za-z0-9]+\/[!#$&^_.+\-A-Za-z0-9]+( *;.*)?$/,
);

/** Lowercase hex. A listing may lack it, which has its own code. */
const checksum = z.string().regex(/^[0-9a-f]{64}$/);

const fields = {
  /** The native id, at most 2^53-1: a larger one would have been rounded by JSON. */
  id: z.int().positive(),
  task_id: z.string().min(1).max(255),
  filename: storedName,
  content_type: storedMediaType,
  /** Bytes. */
  size: z.int().nonnegative(),
  uploaded_by: plainText(255),
  /** Seconds since 1970, as the native row has them. */
  created_at: z.number().nonnegative(),
  /** A place in the store; accepted and never shown (A10). */
  stored_path: z.string().nullish(),
};

/** What an adapter answers to an upload: the native row and the checksum (A55). Unknown keys are dropped (A77). */
export const attachmentRecord = z.object({ ...fields, sha256: checksum });
export type AttachmentRecord = z.infer<typeof attachmentRecord>;

/** One row of a listing, where a checksum may be absent, null or empty until somebody looks (A27). */
export const listedRecord = z.object({
  ...fields,
  sha256: z.union([checksum, z.literal('')]).nullish(),
});
export type ListedRecord = z.infer<typeof listedRecord>;
