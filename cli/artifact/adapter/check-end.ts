import { adapterStatus } from '../../adapter-status.ts';
import { ArtifactFailure, type ArtifactCode } from '../artifact-failure.ts';
import type { AdapterEnd } from './run-adapter.ts';

const statusCodes: Readonly<Record<number, ArtifactCode>> = {
  [adapterStatus.absent]: 'artifact_not_found',
  [adapterStatus.tooLarge]: 'artifact_too_large',
  [adapterStatus.bytesDiffer]: 'artifact_integrity_failed',
  126: 'artifact_transport_unavailable',
  127: 'artifact_transport_unavailable',
};

/**
 * Passes an invocation that ended as the contract has it, and no other (A24, A26, A28, A40 to A42, A59).
 *
 * @param overflow what too much output means for the verb
 */
export function checkEnd(
  end: Exclude<AdapterEnd, { kind: 'STOPPED' }>,
  overflow: ArtifactCode,
): void {
  switch (end.kind) {
    case 'EXITED':
      if (end.status !== adapterStatus.done)
        throw new ArtifactFailure(statusCodes[end.status] ?? 'artifact_transport_failed');
      // Whoever did not take all the bytes cannot have verified them.
      if (!end.inputTaken) throw new ArtifactFailure('artifact_transport_invalid');
      return;
    case 'KILLED':
      throw new ArtifactFailure('artifact_transport_failed');
    case 'OVERFLOWED':
      throw new ArtifactFailure(overflow);
    case 'TIMED_OUT':
      throw new ArtifactFailure('artifact_transport_timeout');
    case 'UNAVAILABLE':
      throw new ArtifactFailure('artifact_transport_unavailable');
  }
}
