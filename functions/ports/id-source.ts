/** New ids: a ULID, and 32 random bytes as base64url. */
export interface IdSource {
  ulid(): string;
  nonce(): string;
}
