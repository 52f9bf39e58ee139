import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';

const root = path.join(import.meta.dirname, '../..');
const executable = path.join(root, 'cli/bin/windlass.mjs');
const peakHook = path.join(import.meta.dirname, 'programs/report-peak.mjs');

/** A folder for everything a measurement writes, and the adapter over it. */
export interface BenchFolder {
  path: string;
  runtime: string;
}

export function openBenchFolder(folder: string): BenchFolder {
  const adapter = path.join(import.meta.dirname, 'programs/copying-adapter.mjs');
  return { path: folder, runtime: `'${process.execPath}' '${adapter}' '${folder}'` };
}

/** Milliseconds of wall time of a program, which must succeed. */
export function timeProgram(words: readonly [string, ...string[]], cwd: string): number {
  const start = performance.now();
  const { status } = spawnSync(words[0], words.slice(1), { cwd, stdio: 'ignore' });
  const milliseconds = performance.now() - start;
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${String(status)}`);
  return milliseconds;
}

export interface CommandRun {
  milliseconds: number;
  status: number | null;
  stdout: string;
}

/** `windlass artifact …` as it is installed: not through npx. */
export function runArtifact(
  folder: BenchFolder,
  words: string[],
  nodeWords: string[] = [],
): CommandRun {
  const start = performance.now();
  const ran = spawnSync(process.execPath, [...nodeWords, executable, 'artifact', ...words], {
    cwd: folder.path,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      ...process.env,
      WINDLASS_WORKER_RUNTIME: folder.runtime,
      PEAK_FILE: path.join(folder.path, 'peak'),
    },
  });
  return { milliseconds: performance.now() - start, status: ran.status, stdout: ran.stdout };
}

/** The most memory that a command held, in mebibytes. */
export function measurePeak(folder: BenchFolder, words: string[]): number {
  const ran = runArtifact(folder, words, [`--import=${peakHook}`]);
  if (ran.status !== 0) throw new Error(`artifact ${words.join(' ')} failed`);
  return Number(readFileSync(path.join(folder.path, 'peak'), 'utf8')) / 1024;
}

export function findMedian(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
