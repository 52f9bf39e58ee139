import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** Lower-case hex SHA-256 of the bytes, or of the text's UTF-8 bytes (E16). */
export function digestBytes(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * RFC 8785 canonical JSON of a parsed value. The value holds no `undefined`, no bigint and no number that JSON cannot
 * carry: canonicalisation would drop or change them, and two different values could share a digest.
 */
export function renderCanonical(value: unknown): string {
  assertJson(value, '');
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('a value without a JSON form has no canonical form');
  return text;
}

/** Hex SHA-256 of the canonical JSON of a parsed value. */
export function digestCanonical(value: unknown): string {
  return digestBytes(renderCanonical(value));
}

/** The base64 form that S3 uses for the SHA-256 that is given as hex. */
export function digestToBase64(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64');
}

/** The hex form of a SHA-256 that S3 gives as base64. */
export function digestFromBase64(base64: string): string {
  return Buffer.from(base64, 'base64').toString('hex');
}

function assertJson(value: unknown, path: string): void {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return;
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) assertJson(item, `${path}/${String(index)}`);
    return;
  } else if (typeof value === 'object') {
    for (const [key, item] of Object.entries(value)) assertJson(item, `${path}/${key}`);
    return;
  }
  throw new TypeError(`${path === '' ? 'the value' : path} has no JSON form`);
}
