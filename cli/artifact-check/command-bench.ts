import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TaskAddress } from '../../schemas/task-address.ts';
import { createAdapterTransport } from '../artifact/adapter/adapter-transport.ts';
import { startDeadline } from '../artifact/adapter/deadline.ts';
import type { ArtifactContext } from '../artifact/artifact-context.ts';
import { ArtifactFailure, type ArtifactCode } from '../artifact/artifact-failure.ts';
import type { ArtifactDescription } from '../artifact/records/describe-artifact.ts';
import { openSource } from '../artifact/source/open-source.ts';
import { measureSource } from '../artifact/source/read-source.ts';
import { uploadArtifact, type UploadKind } from '../artifact/upload-artifact.ts';
import type { ProbeSettings } from './adapter-probe.ts';
import { ContractBreach } from './conformance-check.ts';

/** The artifact commands at work on the adapter, over a folder that is removed afterwards. */
export interface CommandBench {
  context: ArtifactContext;
  owner: TaskAddress;
  folder: string;
  /** A name that no other check stores. */
  name: (label: string) => string;
  upload: (bytes: Buffer, kind: UploadKind) => Promise<ArtifactDescription>;
  /** @throws ContractBreach when the command does anything else than to refuse with this code */
  expectCode: (code: ArtifactCode, work: Promise<unknown>, what: string) => Promise<void>;
  /** A refusal of the command as what it says about the adapter; everything else as it is. */
  explain: (error: unknown) => unknown;
  close: () => Promise<void>;
}

export async function openCommandBench(settings: ProbeSettings): Promise<CommandBench> {
  const { runtime, signal, board, taskId, tag, timeoutSeconds } = settings;
  // A destination may not lie behind a link, which the usual folder for such files does on some systems.
  const folder = await mkdtemp(path.join(await realpath(tmpdir()), 'windlass-check-'));
  const deadline = startDeadline(timeoutSeconds);
  const transport = createAdapterTransport({ runtime, deadline, signal });
  const context = { transport, deadline, signal };
  const owner = { board, taskId };
  return {
    context,
    owner,
    folder,
    name: (label) => `windlass-check-${tag}-${label}`,
    upload: async (bytes, kind) => {
      const file = path.join(folder, 'upload');
      await writeFile(file, bytes);
      const source = await openSource(file);
      try {
        const measure = await measureSource(source);
        return await uploadArtifact(context, { ...owner, kind, source, measure });
      } finally {
        await source.close();
      }
    },
    expectCode: async (code, work, what) => {
      const met = await work.then(
        () => 'a success',
        (error: unknown) => {
          if (error instanceof ArtifactFailure) return error.code;
          throw error;
        },
      );
      if (met !== code) throw new ContractBreach(`${what} was met with ${met} instead of ${code}`);
    },
    explain: (error) =>
      error instanceof ArtifactFailure
        ? new ContractBreach(`the command failed with ${error.code}`, { cause: error })
        : error,
    close: async () => {
      await rm(folder, { recursive: true, force: true });
    },
  };
}
