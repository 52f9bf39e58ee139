import { limits } from '../../../schemas/limits.ts';
import type { ArtifactCode } from '../artifact-failure.ts';
import type { ArtifactTransport } from '../artifact-transport.ts';
import { checkEnd } from './check-end.ts';
import type { Deadline } from './deadline.ts';
import { runAdapter, type AdapterCall } from './run-adapter.ts';
import { splitRuntime } from './split-runtime.ts';

/** One record as JSON; native rows are far smaller. */
const recordBytes = 64 * 1024;
/** A listing of some ten thousand records as JSON. */
export const listingBytes = 8 * 1024 * 1024;

export interface AdapterSettings {
  runtime: string;
  deadline: Deadline;
  /** Its reason is thrown when it stops an adapter. */
  signal: AbortSignal;
}

/** The transport that runs the configured adapter, once a call, with exactly the words of the contract (A76). */
export function createAdapterTransport(settings: AdapterSettings): ArtifactTransport {
  const { runtime, deadline, signal } = settings;

  async function run(
    words: string[],
    call: Pick<AdapterCall, 'input' | 'output' | 'maxOutputBytes' | 'signal'>,
    overflow: ArtifactCode,
  ): Promise<void> {
    const argv = [...splitRuntime(runtime), ...words];
    const stop = call.signal ?? signal;
    const end = await runAdapter({ ...call, words: argv, deadline, signal: stop });
    if (end.kind === 'STOPPED') throw stop.reason as Error;
    checkEnd(end, overflow);
  }

  async function collect(
    words: string[],
    maxOutputBytes: number,
    input?: AsyncIterable<Uint8Array>,
  ): Promise<Uint8Array> {
    const chunks: Buffer[] = [];
    const output = (chunk: Buffer) => void chunks.push(chunk);
    await run(
      words,
      { output, maxOutputBytes, ...(input && { input }) },
      'artifact_transport_invalid',
    );
    return Buffer.concat(chunks);
  }

  return {
    upload: async (declared, bytes) => {
      const { board, taskId, filename, mediaType, size, sha256 } = declared;
      const named = ['--name', filename, '--media-type', mediaType];
      const sized = ['--size', String(size), '--sha256', sha256, '--json'];
      const words = ['artifact-upload', board, taskId, ...named, ...sized];
      return await collect(words, recordBytes, bytes);
    },
    list: async (board, taskId) =>
      await collect(['artifact-list', board, taskId, '--json'], listingBytes),
    download: async ({ board, taskId, attachmentId }, output, stop) => {
      const words = ['artifact-download', board, taskId, String(attachmentId)];
      const maxOutputBytes = limits.attachmentBytes;
      const either = AbortSignal.any([signal, stop]);
      await run(words, { output, maxOutputBytes, signal: either }, 'artifact_too_large');
    },
  };
}
