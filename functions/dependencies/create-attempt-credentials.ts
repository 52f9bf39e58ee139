import { createStsClient } from '../adapters/aws-clients.ts';
import { createStsAttemptCredentials } from '../adapters/sts-attempt-credentials.ts';
import { renderSessionPolicy } from '../domain/attempt/render-session-policy.ts';
import type { AttemptCredentials } from '../ports/attempt-credentials.ts';
import { readSetting, type Settings } from './read-setting.ts';

export function createAttemptCredentials(settings: Settings): AttemptCredentials {
  const bucket = readSetting(settings, 'WINDLASS_ARTIFACT_BUCKET');
  const roleArn = readSetting(settings, 'WINDLASS_ATTEMPT_ROLE_ARN');
  return createStsAttemptCredentials({
    client: createStsClient(settings),
    roleArn,
    renderPolicy: (attemptId) => renderSessionPolicy(bucket, attemptId),
  });
}
