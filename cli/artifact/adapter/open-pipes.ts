import { spawnSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** Far more than it takes; without pipes it goes on with sockets. */
const makingMilliseconds = 1_000;

/** Standard input and output of a program: our ends as streams, and the descriptors that become the program's. */
export interface Pipes {
  /** Absent where the program has no input. */
  input?: { ours: Writable; theirs: number };
  output: { ours: Readable; theirs: number };
}

/**
 * Pipes as a shell makes them. Node gives its children sockets instead, which a program cannot open again as /dev/stdin
 * or /dev/stdout. Node cannot make a pipe, so two FIFOs are made, opened and unlinked at once; undefined where that
 * does not work, and sockets have to do.
 */
export function openPipes(takesInput: boolean): Pipes | undefined {
  const opened: number[] = [];
  let folder: string | undefined;
  const open = (file: string, flags: number) => {
    const descriptor = openSync(file, flags);
    opened.push(descriptor);
    return descriptor;
  };
  try {
    folder = mkdtempSync(path.join(os.tmpdir(), 'windlass-pipes-'));
    const names = { input: path.join(folder, 'input'), output: path.join(folder, 'output') };
    const words = ['-m', '600', names.input, names.output];
    const made = spawnSync('mkfifo', words, { stdio: 'ignore', timeout: makingMilliseconds });
    if (made.status !== 0) return undefined;
    // A reader that does not wait comes first, so that no open waits for its other side.
    const reader = open(names.output, O_RDONLY | O_NONBLOCK);
    const output = { ours: reader, theirs: open(names.output, O_WRONLY) };
    const input = takesInput ? openInput(names.input, open) : undefined;
    return {
      output: { ...output, ours: new Socket({ fd: output.ours, readable: true, writable: false }) },
      ...(input && {
        input: { ...input, ours: new Socket({ fd: input.ours, readable: false, writable: true }) },
      }),
    };
  } catch {
    for (const descriptor of opened) closeQuietly(descriptor);
    return undefined;
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** Once the program has them, ours must go: they would hide its end. */
export function closeTheirs(pipes: Pipes): void {
  closeQuietly(pipes.output.theirs);
  if (pipes.input !== undefined) closeQuietly(pipes.input.theirs);
}

/** The program's end blocks and ours does not, as each expects; a first reader lets the writer in and goes. */
function openInput(
  file: string,
  open: (file: string, flags: number) => number,
): { ours: number; theirs: number } {
  const first = openSync(file, O_RDONLY | O_NONBLOCK);
  try {
    return { ours: open(file, O_WRONLY | O_NONBLOCK), theirs: open(file, O_RDONLY) };
  } finally {
    closeSync(first);
  }
}

function closeQuietly(descriptor: number): void {
  try {
    closeSync(descriptor);
  } catch {
    // It is closed already.
  }
}
