import { measureRemaining, type Deadline } from './adapter/deadline.ts';
import { ArtifactFailure } from './artifact-failure.ts';
import type { ArtifactTransport } from './artifact-transport.ts';

/** What one command works with. */
export interface ArtifactContext {
  transport: ArtifactTransport;
  /** Covers the whole command. */
  deadline: Deadline;
  /** Its reason is thrown when the command is interrupted. */
  signal: AbortSignal;
}

/** @throws ArtifactFailure artifact_transport_timeout, or the reason of an interruption */
export function checkStillWanted({ deadline, signal }: ArtifactContext): void {
  signal.throwIfAborted();
  if (measureRemaining(deadline) === 0) throw new ArtifactFailure('artifact_transport_timeout');
}
