import { GenerateMacCommand, type KMSClient } from '@aws-sdk/client-kms';
import { PermanentError } from '../ports/errors.ts';
import type { TokenKeys } from '../ports/token-keys.ts';
import { callAws } from './translate-aws-error.ts';

/** Keys of runs that one environment keeps in memory, never anywhere else; a run asks for its own many times. */
const keptKeys = 20;

/** Keys of runs from an HMAC_256 key, which never leaves KMS. */
export function createKmsTokenKeys({
  client,
  keyId,
}: {
  client: KMSClient;
  keyId: string;
}): TokenKeys {
  const kept = new Map<string, Uint8Array>();
  return {
    async deriveRunKey(runId) {
      const known = kept.get(runId);
      if (known !== undefined) return known;
      const generate = new GenerateMacCommand({
        KeyId: keyId,
        MacAlgorithm: 'HMAC_SHA_256',
        Message: Buffer.from(`windlass-run:${runId}`),
      });
      const { Mac } = await callAws(`derive the key of ${runId}`, () => client.send(generate));
      if (Mac === undefined) throw new PermanentError(`KMS answered without a MAC for ${runId}`);
      const [oldest] = kept.keys();
      if (kept.size >= keptKeys && oldest !== undefined) kept.delete(oldest);
      kept.set(runId, Mac);
      return Mac;
    },
  };
}
