import { randomBytes } from 'node:crypto';
import { ulid } from 'ulid';
import type { IdSource } from '../ports/id-source.ts';

const nonceBytes = 32;

/** Random ids from the operating system's generator. */
export function createUlidIdSource(): IdSource {
  return {
    ulid: () => ulid(),
    nonce: () => randomBytes(nonceBytes).toString('base64url'),
  };
}
