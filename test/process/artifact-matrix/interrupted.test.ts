import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { inspectFolder } from '../../support/artifact-adapters/inspect-folder.ts';
import {
  killMarked,
  listMarked,
  waitForNoMarked,
} from '../../support/artifact-adapters/marked-processes.ts';
import { canary, reference } from '../../support/artifact-adapters/misbehaving/call.ts';
import { loadFamily } from '../../support/artifact-adapters/misbehaving/families.ts';
import {
  startArtifactCommand,
  type CommandEnd,
} from '../../support/artifact-adapters/run-artifact-command.ts';

const adapter = fileURLToPath(
  new URL('../../support/artifact-adapters/programs/misbehaving-adapter.mjs', import.meta.url),
);
const timeout = 60_000;
/** Two seconds for the adapter to tidy up, and what a busy machine takes. */
const latestSeconds = 8;
const lookEveryMilliseconds = 10;

const behaviours = await loadFamily('interrupted');

interface Stopped extends CommandEnd {
  survivors: number[];
  left: Record<string, string>;
  strewn: Record<string, string>;
  seconds: number;
}

interface Interruption {
  place: number;
  words?: string[];
  /** What is at the destination before. */
  older?: string;
}

function findPlace(part: string): number {
  const place = behaviours.findIndex(({ title }) => title.includes(part));
  if (place === -1) throw new Error(`there is no behaviour about "${part}"`);
  return place;
}

/** Starts a command with an adapter that marks when it is at work, and stops the command then. */
async function interrupt(
  { place, words, older }: Interruption,
  stop: (id: number) => Promise<void> | void,
): Promise<Stopped> {
  const root = mkdtempSync(path.join(tmpdir(), 'windlass-interrupt-'));
  const [work, scratch] = [path.join(root, 'work'), path.join(root, 'scratch')];
  mkdirSync(work);
  mkdirSync(scratch);
  writeFileSync(path.join(root, 'source.bin'), canary.repeat(100_000));
  const marker = `MATRIX_FOLDER=${work}`;
  if (older !== undefined) writeFileSync(path.join(work, 'out.bin'), older);
  const verb = behaviours[place]!.command;
  const usual = {
    upload: ['upload', 'fleet', 't_0123abcd', '../source.bin'],
    list: ['list', 'fleet', 't_0123abcd'],
    download: ['download', reference, 'out.bin'],
  }[verb];
  const runtime = `${process.execPath} ${adapter} interrupted ${String(place)}`;
  try {
    const { child, ended } = startArtifactCommand({
      words: [...(words ?? usual), '--worker-runtime', runtime],
      folder: work,
      env: { TMPDIR: scratch, MATRIX_FOLDER: work },
    });
    await waitForMark(path.join(root, 'at-work'), marker);
    const started = performance.now();
    await stop(child.pid!);
    const end = await ended;
    const seconds = (performance.now() - started) / 1000;
    const survivors = await waitForNoMarked(marker);
    return {
      ...end,
      survivors,
      seconds,
      left: inspectFolder(work),
      strewn: inspectFolder(scratch),
    };
  } finally {
    killMarked(marker);
    rmSync(root, { recursive: true, force: true });
  }
}

async function waitForMark(file: string, marker: string): Promise<void> {
  for (;;) {
    // Looked at first: whoever makes the mark may have ended right after it.
    const lives = listMarked(marker).length > 0;
    if (existsSync(file)) return;
    if (!lives) throw new Error('the command ended before it was at work');
    await pause(lookEveryMilliseconds);
  }
}

function expectNothingLeft(stopped: Stopped): void {
  expect(stopped.survivors).toEqual([]);
  expect(stopped.left).toEqual({});
  expect(stopped.strewn).toEqual({});
  expect(stopped.stdout).toBe('');
  expect(stopped.stderr).not.toContain(canary);
  expect(stopped.status).not.toBe(0);
  expect(stopped.seconds).toBeLessThan(latestSeconds);
}

/** The last one needs no signal of ours. */
const cases = behaviours
  .slice(0, -1)
  .flatMap(({ title }, place) =>
    (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => ({ title, place, signal })),
  );

describe.concurrent('interrupted artifact commands', { timeout }, () => {
  it.each(cases)('$title, stopped by $signal', async ({ place, signal }) => {
    expectNothingLeft(
      await interrupt({ place }, (id) => {
        process.kill(id, signal);
      }),
    );
  });

  it('A79 leaves nothing when the adapter stops the command itself', async () => {
    const place = findPlace('stops the command itself');
    expectNothingLeft(await interrupt({ place }, () => undefined));
  });

  it('A79 leaves nothing when a terminal interrupts the whole group of the command', async () => {
    const place = findPlace('amid the bytes');
    expectNothingLeft(
      await interrupt({ place }, (id) => {
        process.kill(-id, 'SIGINT');
      }),
    );
  });

  it('A79 ends at a second signal, and takes the adapter along that ignores the first', async () => {
    const place = findPlace('an adapter that ignores signals');
    const stopped = await interrupt({ place }, async (id) => {
      process.kill(id, 'SIGTERM');
      await pause(lookEveryMilliseconds);
      process.kill(id, 'SIGTERM');
    });
    expect(stopped.survivors).toEqual([]);
    expect(stopped.left).toEqual({});
  });

  it('A46 keeps an older file when the download that would replace it is stopped', async () => {
    const place = findPlace('amid the bytes');
    const words = ['download', reference, 'out.bin', '--overwrite'];
    const stopped = await interrupt({ place, words, older: 'older' }, (id) => {
      process.kill(id, 'SIGTERM');
    });
    expectNothingLeft({ ...stopped, left: {} });
    expect(stopped.left).toEqual({ 'out.bin': 'older' });
  });
});
