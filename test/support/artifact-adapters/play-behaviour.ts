import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { inspectFolder } from './inspect-folder.ts';
import { killMarked, listMarked, waitForNoMarked } from './marked-processes.ts';
import type { Behaviour } from './misbehaving/behaviour.ts';
import { board, canary, reference, task } from './misbehaving/call.ts';
import { destination } from './misbehaving/send-around.ts';
import { runArtifactCommand } from './run-artifact-command.ts';

const adapter = fileURLToPath(new URL('./programs/misbehaving-adapter.mjs', import.meta.url));

/** Far beyond what any behaviour takes that ends by itself, on a machine that is busy. */
const patientTimeoutSeconds = 60;
const usualUploadBytes = 2_048;
export const sourceName = 'source.bin';

export interface Played {
  status: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  elapsedSeconds: number;
  timeoutSeconds: number;
  /** Names in the working folder, with what they hold. */
  left: Record<string, string>;
  /** Names in the temporary and the home folder. */
  strewn: string[];
  /** Processes that lived on. */
  survivors: number[];
}

/** Meets one behaviour with the real executable, in folders of its own, and tells all that can be seen afterwards. */
export async function playBehaviour(
  family: string,
  place: number,
  behaviour: Behaviour,
): Promise<Played> {
  const root = mkdtempSync(path.join(tmpdir(), 'windlass-matrix-'));
  const [folder, scratch, home] = ['work', 'scratch', 'home'].map((name) => path.join(root, name));
  for (const made of [folder!, scratch!, home!]) mkdirSync(made);
  writeFileSync(
    path.join(root, sourceName),
    `${canary} of a file. `.padEnd(behaviour.uploadBytes ?? usualUploadBytes, '.'),
  );
  behaviour.arrange?.(folder!);
  const runtime =
    behaviour.runtime?.(folder!) ?? `${process.execPath} ${adapter} ${family} ${String(place)}`;
  const timeoutSeconds = behaviour.timeoutSeconds ?? patientTimeoutSeconds;
  const marker = `MATRIX_FOLDER=${folder!}`;
  try {
    const started = performance.now();
    const ran = await runArtifactCommand({
      words: [
        ...composeWords(behaviour),
        ...['--worker-runtime', runtime, '--timeout', String(timeoutSeconds)],
      ],
      folder: folder!,
      env: {
        HOME: home!,
        TMPDIR: scratch!,
        MATRIX_FOLDER: folder!,
        ADAPTER_TOKEN: `${canary}-token`,
        AWS_SECRET_ACCESS_KEY: `${canary}-secret`,
      },
    });
    const elapsedSeconds = (performance.now() - started) / 1000;
    const survivors =
      behaviour.mayLeaveProcess === true ? listMarked(marker) : await waitForNoMarked(marker);
    return {
      ...ran,
      elapsedSeconds,
      timeoutSeconds,
      survivors,
      left: inspectFolder(folder!),
      strewn: [...Object.keys(inspectFolder(scratch!)), ...Object.keys(inspectFolder(home!))],
    };
  } finally {
    killMarked(marker);
    rmSync(root, { recursive: true, force: true });
  }
}

function composeWords(behaviour: Behaviour): string[] {
  const more = behaviour.words ?? [];
  switch (behaviour.command) {
    case 'upload':
      return ['upload', board, task, `../${sourceName}`, ...more];
    case 'list':
      return ['list', board, task, ...more];
    case 'download':
      return ['download', reference, behaviour.destination ?? destination, ...more];
  }
}
