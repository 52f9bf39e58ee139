import { nameAttemptPrefix } from '../../../schemas/name-attempt-prefix.ts';
import type { AttemptRecord } from '../../../schemas/attempt-record.ts';
import { digestBytes } from '../../../schemas/digest.ts';
import type { ExpandedNode } from '../../../schemas/expanded-plan.ts';
import type { MeasuredOutput } from '../../domain/admission/admission-facts.ts';
import { isText } from '../../domain/admission/find-forbidden-content.ts';
import type { ArtifactStore } from '../../ports/artifact-store.ts';
import type { PreparedAttempt } from '../../ports/attempt-register.ts';
import { ArtifactCorruptError, ArtifactMissingError } from '../../ports/errors.ts';

type StoredOutput = AttemptRecord['outputs'][number];
type AdoptableOutput = StoredOutput & { version_id: string; content_findings: string[] };

export interface ReadOutput {
  measured: MeasuredOutput;
  /** Null when they were not read: they could not be taken anyway, or nothing about them is left to find out. */
  bytes: Uint8Array | null;
}

/**
 * Measures every recorded output that the contract declares, in the attempt's own prefix and no larger than may be taken
 * (E16, p32). Undefined for an output whose bytes are not there. Bytes are read and hashed, but for what the controller
 * itself stored and measured while it stored it; see `isMeasured`.
 */
export async function measureOutputs(
  artifacts: ArtifactStore,
  { prepared, node }: { prepared: PreparedAttempt; node: ExpandedNode },
  record: AttemptRecord,
): Promise<Record<string, ReadOutput | undefined>> {
  const accepted = new Set(node.contract.accept.map(({ output }) => output));
  const outputs: Record<string, ReadOutput | undefined> = {};
  for (const output of record.outputs) {
    const declared = Object.hasOwn(prepared.assignment.outputs, output.output)
      ? prepared.assignment.outputs[output.output]
      : undefined;
    const own = output.key.startsWith(nameAttemptPrefix(prepared.attemptId));
    if (declared === undefined || !own) outputs[output.output] = undefined;
    else if (isMeasured(prepared, record, output) && !accepted.has(output.output)) {
      outputs[output.output] = adoptMeasurement(output);
    } else outputs[output.output] = await readOutput(artifacts, output, declared);
  }
  return outputs;
}

/**
 * Whether the controller measured the output itself: a function is controller code, so that `run-function` hashed the
 * very bytes, looked for forbidden content in them, and had S3 verify the SHA-256 when it stored them, under a key that
 * ends in the digest and is written once into a bucket where nothing is deleted. No executor has a part in that, and no
 * credentials of a function attempt exist. What a courier says is never enough (E16, E40).
 */
function isMeasured(
  prepared: PreparedAttempt,
  record: AttemptRecord,
  output: StoredOutput,
): output is AdoptableOutput {
  return (
    prepared.kind === 'function' &&
    output.version_id !== null &&
    record.producer === 'controller' &&
    output.content_findings !== undefined &&
    output.key === `${nameAttemptPrefix(prepared.attemptId)}${output.sha256}`
  );
}

function adoptMeasurement(output: AdoptableOutput): ReadOutput {
  const { key, version_id: versionId, sha256, size, content_findings: findings } = output;
  return { measured: { key, versionId, sha256, size, text: null, findings }, bytes: null };
}

async function readOutput(
  artifacts: ArtifactStore,
  output: StoredOutput,
  declared: { media_type: string; max_bytes: number },
): Promise<ReadOutput | undefined> {
  const { key } = output;
  const found = await artifacts.find(key, output.version_id ?? undefined);
  if (found === undefined) return undefined;
  const { versionId } = found;
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
