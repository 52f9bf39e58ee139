import type { AttemptRecord } from '../../../schemas/attempt-record.ts';
import { digestBytes } from '../../../schemas/digest.ts';
import type { MeasuredOutput } from '../../domain/admission/admission-facts.ts';
import { nameAttemptPrefix, type ArtifactStore } from '../../ports/artifact-store.ts';
import type { PreparedAttempt } from '../../ports/attempt-register.ts';
import { ArtifactCorruptError, ArtifactMissingError } from '../../ports/errors.ts';

type StoredOutput = AttemptRecord['outputs'][number];

export interface ReadOutput {
  measured: MeasuredOutput;
  /** Null when they were not read, as they could not be taken anyway. */
  bytes: Uint8Array | null;
}

/**
 * Reads and hashes the bytes of every recorded output that the contract declares, in the attempt's own prefix and no
 * larger than may be taken (E16, p32). Undefined for an output whose bytes are not there.
 */
export async function measureOutputs(
  artifacts: ArtifactStore,
  prepared: PreparedAttempt,
  record: AttemptRecord,
): Promise<Record<string, ReadOutput | undefined>> {
  const outputs: Record<string, ReadOutput | undefined> = {};
  for (const output of record.outputs) {
    const declared = Object.hasOwn(prepared.assignment.outputs, output.output)
      ? prepared.assignment.outputs[output.output]
      : undefined;
    const own = output.key.startsWith(nameAttemptPrefix(prepared.attemptId));
    outputs[output.output] =
      declared !== undefined && own ? await readOutput(artifacts, output, declared) : undefined;
  }
  return outputs;
}

async function readOutput(
  artifacts: ArtifactStore,
  output: StoredOutput,
  declared: { media_type: string; max_bytes: number },
): Promise<ReadOutput | undefined> {
  const { key, version_id: versionId } = output;
  const found = await artifacts.find(key, versionId);
  if (found === undefined) return undefined;
  if (found.size > declared.max_bytes) {
    const sha256 = found.sha256 ?? '';
    return { measured: { key, versionId, sha256, size: found.size, text: null }, bytes: null };
  }
  try {
    const bytes = await artifacts.read(key, versionId, output.sha256);
    const text = isText(declared.media_type) ? Buffer.from(bytes).toString('utf8') : null;
    const measured = { key, versionId, sha256: digestBytes(bytes), size: bytes.byteLength, text };
    return { measured, bytes };
  } catch (error) {
    if (error instanceof ArtifactMissingError) return undefined;
    if (!(error instanceof ArtifactCorruptError)) throw error;
    const actual = await artifacts.measure(key, versionId);
    if (actual === undefined) return undefined;
    return { measured: { key, versionId, ...actual, text: null }, bytes: null };
  }
}

/** Whether its bytes are characters that a check can read. */
export function isText(mediaType: string): boolean {
  return (
    mediaType.startsWith('text/') ||
    /[/+](?:json|xml|yaml)$/.test(mediaType) ||
    ['application/javascript', 'application/x-yaml', 'application/jsonl'].includes(mediaType)
  );
}
