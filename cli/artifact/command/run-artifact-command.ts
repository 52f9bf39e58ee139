import { createOutput } from '../../output/output.ts';
import { exitCodes } from '../../exit-codes.ts';
import { createAdapterTransport } from '../adapter/adapter-transport.ts';
import { chooseRuntime } from '../adapter/choose-runtime.ts';
import { startDeadline } from '../adapter/deadline.ts';
import type { ArtifactContext } from '../artifact-context.ts';
import { ArtifactFailure, renderFailureLine } from '../artifact-failure.ts';
import { ArtifactInterruption, withSignals } from './interruption.ts';

/** What every artifact command takes. */
export interface RuntimeOptions {
  workerRuntime?: string;
  /** Seconds for the whole command. */
  timeout: number;
}

/**
 * Runs a command against the configured adapter and prints its result as one JSON document, or the one line of a
 * failure on standard error. Nothing else of a failure is ever printed (A19).
 */
export async function runArtifactCommand(
  options: RuntimeOptions,
  work: (context: ArtifactContext) => Promise<unknown>,
): Promise<void> {
  const deadline = startDeadline(options.timeout);
  try {
    const result = await withSignals(async (signal) => {
      const runtime = chooseRuntime(options.workerRuntime, process.env);
      const transport = createAdapterTransport({ runtime, deadline, signal });
      return await work({ transport, deadline, signal });
    });
    createOutput({}).writeJson(result);
  } catch (error) {
    process.exitCode = reportEnd(error);
  }
}

function reportEnd(error: unknown): number {
  if (error instanceof ArtifactInterruption) return error.exitStatus;
  if (!(error instanceof ArtifactFailure)) throw error;
  process.stderr.write(`${renderFailureLine(error.code)}\n`);
  return exitCodes.refused;
}
