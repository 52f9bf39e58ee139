import type { ClaimAnswer } from '../../../schemas/executor-api.ts';
import { limits } from '../../../schemas/limits.ts';
import type { ArtifactStore } from '../../ports/artifact-store.ts';
import type { Credentials } from '../../ports/attempt-credentials.ts';
import type { PreparedAttempt } from '../../ports/attempt-register.ts';
import { PermanentError } from '../../ports/errors.ts';

/** A URL for exactly the resolved version of each input file, signed as late as possible. */
export async function signInputs(
  artifacts: ArtifactStore,
  prepared: PreparedAttempt,
): Promise<ClaimAnswer['inputs']> {
  const files = Object.entries(prepared.assignment.inputs).flatMap(([name, input]) =>
    input.files.map((file) => ({ name, index: file.index, size: file.size })),
  );
  return Promise.all(
    files.map(async ({ name, index, size }) => {
      const source = prepared.request.resolved_inputs[index];
      if (source === undefined) {
        throw new PermanentError(`input ${name} of ${prepared.attemptId} was never resolved`);
      }
      const { reference, version, content_hash: sha256 } = source;
      const url = await artifacts.presignRead(reference, version, limits.credentialSeconds);
      return { name, index, url, sha256, size };
    }),
  );
}

export function renderCredentials(credentials: Credentials): ClaimAnswer['credentials'] {
  return {
    access_key_id: credentials.accessKeyId,
    secret_access_key: credentials.secretAccessKey,
    session_token: credentials.sessionToken,
    expires_at: credentials.expiresAt,
  };
}
