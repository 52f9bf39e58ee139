import { GenerateMacCommand, type KMSClient } from '@aws-sdk/client-kms';
import { PermanentError } from '../ports/errors.ts';
import type { TokenKeys } from '../ports/token-keys.ts';
import { callAws } from './translate-aws-error.ts';

/** Keys of runs from an HMAC_256 key, which never leaves KMS. */
export function createKmsTokenKeys({
  client,
  keyId,
}: {
  client: KMSClient;
  keyId: string;
}): TokenKeys {
  return {
    async deriveRunKey(runId) {
      const generate = new GenerateMacCommand({
        KeyId: keyId,
        MacAlgorithm: 'HMAC_SHA_256',
        Message: Buffer.from(`windlass-run:${runId}`),
      });
      const { Mac } = await callAws(`derive the key of ${runId}`, () => client.send(generate));
      if (Mac === undefined) throw new PermanentError(`KMS answered without a MAC for ${runId}`);
      return Mac;
    },
  };
}
