import { isSha256 } from '../../../schemas/parse-artifact-reference.ts';

/** The native row of an attachment and the checksum of its stored bytes (A55). */
export interface AttachmentRecord {
  /** The native id, at most 2^53-1: a larger one would have been rounded by JSON. */
  id: number;
  task_id: string;
  filename: string;
  content_type: string;
  /** Bytes. */
  size: number;
  /** 64 lowercase hex characters. */
  sha256: string;
  uploaded_by: string;
  /** Seconds since 1970, as the native row has them. */
  created_at: number;
}

/** A record of a listing, whose checksum may be absent, null or empty until somebody looks (A27). */
export type ListedRecord = Omit<AttachmentRecord, 'sha256'> & { sha256: string | undefined };

/**
 * A record out of parsed JSON; undefined when a key is missing or of the wrong type. Unknown keys are dropped (A77), and
 * so is `stored_path` (A10). Without zod, which takes longer to load than an adapter to answer.
 */
export function readRecord(value: unknown): ListedRecord | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const row = value as Record<string, unknown>;
  const { id, task_id, filename, content_type, size, sha256, uploaded_by, created_at } = row;
  if (!isWhole(id) || id === 0 || !isWhole(size) || !isTime(created_at)) return undefined;
  if (!isPlainText(task_id) || task_id === '') return undefined;
  if (!isPlainText(uploaded_by, uploaderCharacters)) return undefined;
  if (!isStoredName(filename) || !isStoredMediaType(content_type)) return undefined;
  if (!isOptionalText(row['stored_path']) || !isOptionalText(sha256)) return undefined;
  const hasSum = typeof sha256 === 'string' && sha256 !== '';
  if (hasSum && !isSha256(sha256)) return undefined;
  const checksum = hasSum ? sha256 : undefined;
  return { id, task_id, filename, content_type, size, sha256: checksum, uploaded_by, created_at };
}

const textCharacters = 255;
/** The longest name of somebody at AWS. https://docs.aws.amazon.com/IAM/latest/APIReference/API_User.html */
const uploaderCharacters = 2_048;
const nameBytes = 255;
const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
const mediaType = /^[!#$&^_.+\-A-Za-z0-9]+\/[!#$&^_.+\-A-Za-z0-9]+( *;.*)?$/;

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function isOptionalText(value: unknown): value is string | null | undefined {
  return value === undefined || value === null || typeof value === 'string';
}

/** Nothing that steers a terminal when it is printed. */
function isPlainText(value: unknown, longest = textCharacters): value is string {
  return (
    typeof value === 'string' &&
    value.length <= longest &&
    !unprintable.test(value) &&
    value.isWellFormed()
  );
}

/** A name as another program may have chosen it, and never a path. A dot in front is harmless: no file gets this name. */
function isStoredName(value: unknown): value is string {
  return (
    isPlainText(value) &&
    !['', '.', '..'].includes(value) &&
    !/[/\\]/.test(value) &&
    Buffer.byteLength(value) <= nameBytes
  );
}

function isStoredMediaType(value: unknown): value is string {
  return isPlainText(value) && mediaType.test(value);
}
