import { AssumeRoleCommand, type STSClient } from '@aws-sdk/client-sts';
import { limits } from '../../schemas/limits.ts';
import type { AttemptCredentials } from '../ports/attempt-credentials.ts';
import { PermanentError } from '../ports/errors.ts';
import { callAws } from './translate-aws-error.ts';

/** Credentials of the role in `roleArn`, limited by the policy that `renderPolicy` writes for the attempt. */
export function createStsAttemptCredentials({
  client,
  roleArn,
  renderPolicy,
}: {
  client: STSClient;
  roleArn: string;
  renderPolicy: (attemptId: string) => string;
}): AttemptCredentials {
  return {
    async issue(attemptId) {
      const assume = new AssumeRoleCommand({
        RoleArn: roleArn,
        RoleSessionName: attemptId,
        DurationSeconds: limits.credentialSeconds,
        Policy: renderPolicy(attemptId),
      });
      const answer = await callAws(`issue credentials for ${attemptId}`, () => client.send(assume));
      const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = answer.Credentials ?? {};
      if (!AccessKeyId || !SecretAccessKey || !SessionToken || !Expiration) {
        throw new PermanentError(`STS answered without whole credentials for ${attemptId}`);
      }
      return {
        accessKeyId: AccessKeyId,
        secretAccessKey: SecretAccessKey,
        sessionToken: SessionToken,
        expiresAt: Expiration.toISOString(),
      };
    },
  };
}
