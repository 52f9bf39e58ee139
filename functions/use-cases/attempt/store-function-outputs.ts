import type { AttemptRecord } from '../../../schemas/attempt-record.ts';
import { digestBytes } from '../../../schemas/digest.ts';
import type { FunctionResult } from '../../executors/built-in-function.ts';
import { nameAttemptPrefix, type ArtifactStore } from '../../ports/artifact-store.ts';

/** Stores what a function gave, each under its digest in the attempt's own prefix; a repeated run stores nothing twice. */
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
    outputs.push({ output, key, version_id: stored.versionId, sha256, size: bytes.byteLength });
  }
  return outputs;
}
