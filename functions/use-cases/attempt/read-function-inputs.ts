import type { FunctionInput } from '../../executors/built-in-function.ts';
import type { ArtifactStore } from '../../ports/artifact-store.ts';
import type { PreparedAttempt } from '../../ports/attempt-register.ts';
import { PermanentError } from '../../ports/errors.ts';

/**
 * Reads the inputs of an assignment, each by its exact version and verified against its digest (E51).
 * @throws ArtifactMissingError, ArtifactCorruptError
 */
export async function readFunctionInputs(
  artifacts: ArtifactStore,
  prepared: PreparedAttempt,
): Promise<Record<string, FunctionInput | FunctionInput[]>> {
  const inputs: Record<string, FunctionInput | FunctionInput[]> = {};
  for (const [name, { list, files }] of Object.entries(prepared.assignment.inputs)) {
    const read: FunctionInput[] = [];
    for (const file of files) {
      const source = prepared.request.resolved_inputs[file.index];
      if (source === undefined) {
        throw new PermanentError(`input ${name} of ${prepared.attemptId} was never resolved`);
      }
      const { reference, version, content_hash: sha256 } = source;
      const bytes = await artifacts.read(reference, version, sha256);
      read.push({
        name,
        filename: file.filename,
        mediaType: file.media_type,
        sha256,
        bytes,
      });
    }
    const [only] = read;
    if (list) inputs[name] = read;
    else if (only === undefined) throw new PermanentError(`input ${name} has no file`);
    else inputs[name] = only;
  }
  return inputs;
}
