import { digestBytes, renderCanonical } from '../../../schemas/digest.ts';
import { digestToken, mintToken, type TokenKind } from '../../domain/attempt/mint-token.ts';
import { replaceTokens } from '../../domain/attempt/replace-tokens.ts';

/** What a courier submitted in the form that may be stored: digests wherever a token stood (E101). */
export interface StorableReturn {
  response: string;
  record: string;
  responseSha256: string;
  /** Of both together: by it a repeated submission is recognised. */
  bodySha256: string;
}

const kinds: readonly TokenKind[] = ['claim-ticket', 'attempt', 'cancellation', 'session'];

export function composeReturn(
  attempt: { attemptId: string; runKey: Uint8Array },
  submitted: { response: unknown; record: unknown },
): StorableReturn {
  const secrets = kinds.map((kind) => mintToken(attempt.runKey, kind, attempt.attemptId));
  const given = findGivenToken(submitted.response);
  if (given !== undefined) secrets.push(given);
  const tokens = new Map(secrets.map((secret) => [secret, digestToken(secret)]));
  const response = renderCanonical(replaceTokens(renameToken(submitted.response), tokens));
  const record = renderCanonical(replaceTokens(submitted.record, tokens));
  return {
    response,
    record,
    responseSha256: digestBytes(response),
    bodySha256: digestBytes(`${response}\n${record}`),
  };
}

function findGivenToken(response: unknown): string | undefined {
  if (typeof response !== 'object' || response === null) return undefined;
  const given = new Map<string, unknown>(Object.entries(response)).get('attempt_token');
  return typeof given === 'string' && given !== '' ? given : undefined;
}

/** The field's stored name goes with its stored value, so that a wrong type or a missing field stays one. */
function renameToken(response: unknown): unknown {
  if (typeof response !== 'object' || response === null || Array.isArray(response)) return response;
  return Object.fromEntries(
    Object.entries(response).map(([name, value]: [string, unknown]) => [
      name === 'attempt_token' ? 'attempt_token_sha256' : name,
      value,
    ]),
  );
}
