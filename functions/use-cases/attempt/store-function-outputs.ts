import { nameAttemptPrefix } from '../../../schemas/name-attempt-prefix.ts';
import type { AttemptRecord } from '../../../schemas/attempt-record.ts';
import { digestBytes } from '../../../schemas/digest.ts';
import { findForbiddenContent, isText } from '../../domain/admission/find-forbidden-content.ts';
import type { FunctionResult } from '../../executors/built-in-function.ts';
import type { ArtifactStore } from '../../ports/artifact-store.ts';
import { ArtifactCorruptError } from '../../ports/errors.ts';

/**
 * Stores what a function gave, each under its digest in the attempt's own prefix; a repeated run stores nothing twice.
 * The bytes are measured here, by the controller, and admission does not read them again for that: what lies under the
 * key must have the SHA-256 that S3 verified, also when it lay there before.
 * @throws ArtifactCorruptError when other bytes do
 */
export async function storeFunctionOutputs(
  artifacts: ArtifactStore,
  attemptId: string,
  result: FunctionResult,
): Promise<AttemptRecord['outputs']> {
  if (result.kind === 'failed') return [];
  const outputs: AttemptRecord['outputs'] = [];
  for (const [output, { bytes, mediaType }] of Object.entries(result.outputs)) {
    const sha256 = digestBytes(bytes);
    const key = `${nameAttemptPrefix(attemptId)}${sha256}`;
    const stored = await artifacts.put(key, bytes, mediaType);
    if (stored.sha256 !== sha256 || stored.size !== bytes.byteLength) {
      throw new ArtifactCorruptError(key);
    }
    outputs.push({
      output,
      key,
      version_id: stored.versionId,
      sha256,
      size: bytes.byteLength,
      content_findings: isText(mediaType)
        ? findForbiddenContent(mediaType, Buffer.from(bytes).toString('utf8'))
        : [],
    });
  }
  return outputs;
}
