import { randomFillSync } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  findMedian,
  measurePeak,
  openBenchFolder,
  runArtifact,
  timeProgram,
  type BenchFolder,
} from './measure-command.ts';

const fileBytes = 25 * 1024 * 1024;
const rounds = 15;
/** Upload: what is sent, and once more while it is sent. Download: what lies there. */
const hashPasses = 3;
/** Into the store and out of it. */
const copies = 2;
/** Two commands; the adapter for an upload, a listing and a download. */
const processStarts = 5;

/**
 * A file of 25 MiB up and down through an adapter that only copies, against the same number of hash passes, copies and
 * process starts by sha256sum, cp and `node -e 0`, in turns and in the same folder. And what a command costs before it
 * does anything, in time and in memory. Prints JSON.
 */
const folder = openBenchFolder(
  realpathSync(mkdtempSync(path.join(os.tmpdir(), 'windlass-bench-artifact-'))),
);
try {
  writeFileSync(path.join(folder.path, 'file.bin'), randomFillSync(Buffer.alloc(fileBytes)));
  const reference = transfer(folder).reference;
  const timed = { transfer: [], parts: [], node: [], help: [], refused: [] } as Record<
    'transfer' | 'parts' | 'node' | 'help' | 'refused',
    number[]
  >;
  for (let round = 0; round < rounds; round += 1) {
    timed.transfer.push(transfer(folder).milliseconds);
    timed.parts.push(timeParts(folder.path));
    timed.node.push(timeProgram([process.execPath, '-e', '0'], folder.path));
    timed.help.push(runArtifact(folder, ['--help']).milliseconds);
    timed.refused.push(runArtifact(folder, ['upload', 'bench', 't_1', 'missing']).milliseconds);
  }
  const median = {
    transfer: findMedian(timed.transfer),
    parts: findMedian(timed.parts),
    node: findMedian(timed.node),
    help: findMedian(timed.help),
    refused: findMedian(timed.refused),
  };
  const idle = measurePeak(folder, ['--help']);
  const upload = measurePeak(folder, ['upload', 'bench', 't_1', 'file.bin']);
  const download = measurePeak(folder, ['download', reference, 'back.bin', '--overwrite']);
  const figures = {
    fileBytes,
    rounds,
    transferMilliseconds: Math.round(median.transfer),
    partsMilliseconds: Math.round(median.parts),
    timesTheParts: Math.round((median.transfer / median.parts) * 100) / 100,
    nodeMilliseconds: Math.round(median.node),
    helpExtraMilliseconds: Math.round(median.help - median.node),
    refusedExtraMilliseconds: Math.round(median.refused - median.node),
    idlePeakMebibytes: Math.round(idle),
    uploadExtraMebibytes: Math.round(upload - idle),
    downloadExtraMebibytes: Math.round(download - idle),
  };
  const outside = listOutside({
    timesTheParts: [figures.timesTheParts, 1.5],
    helpExtraMilliseconds: [figures.helpExtraMilliseconds, 250],
    refusedExtraMilliseconds: [figures.refusedExtraMilliseconds, 250],
    uploadExtraMebibytes: [figures.uploadExtraMebibytes, 64],
    downloadExtraMebibytes: [figures.downloadExtraMebibytes, 64],
  });
  console.log(JSON.stringify({ ...figures, outside }));
  process.exitCode = outside.length === 0 ? 0 : 1;
} finally {
  rmSync(folder.path, { recursive: true, force: true });
}

/** Up and down once. */
function transfer(bench: BenchFolder): { milliseconds: number; reference: string } {
  const up = runArtifact(bench, ['upload', 'bench', 't_1', 'file.bin']);
  const { reference: name } = JSON.parse(up.stdout) as { reference: string };
  const down = runArtifact(bench, ['download', name, 'back.bin', '--overwrite']);
  if (down.status !== 0) throw new Error('the download failed');
  return { milliseconds: up.milliseconds + down.milliseconds, reference: name };
}

/** The same work by programs that do nothing else. */
function timeParts(cwd: string): number {
  const repeat = (times: number, words: [string, ...string[]]) =>
    Array.from({ length: times }, () => timeProgram(words, cwd));
  return [
    ...repeat(hashPasses, ['sha256sum', 'file.bin']),
    ...repeat(copies, ['cp', 'file.bin', 'copy.bin']),
    ...repeat(processStarts, [process.execPath, '-e', '0']),
  ].reduce((sum, milliseconds) => sum + milliseconds, 0);
}

/** Names of the figures that are above what they are held to. */
function listOutside(limits: Record<string, readonly [measured: number, most: number]>): string[] {
  return Object.entries(limits).flatMap(([name, [measured, most]]) =>
    measured > most ? [name] : [],
  );
}
