import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { closeTheirs, openPipes } from './open-pipes.ts';

export interface GroupCommand {
  words: readonly string[];
  /** Whether standard input is a stream of ours; otherwise it is empty. */
  takesInput: boolean;
  env: NodeJS.ProcessEnv;
}

/** A program that leads a process group, and our ends of its streams. */
export interface ProcessGroup {
  leader: ChildProcess;
  stdin: Writable | null;
  stdout: Readable;
}

/**
 * Starts a program as the leader of a process group of its own (A49); undefined when it cannot be started. Standard
 * error goes nowhere, so that nothing can be shown of it (A18).
 */
export async function startGroup(command: GroupCommand): Promise<ProcessGroup | undefined> {
  const [program, ...rest] = command.words;
  if (program === undefined) return undefined;
  const pipes = openPipes(command.takesInput);
  const input = command.takesInput ? (pipes?.input?.theirs ?? 'pipe') : 'ignore';
  try {
    const leader = spawn(program, rest, {
      detached: true,
      env: command.env,
      stdio: [input, pipes?.output.theirs ?? 'pipe', 'ignore'],
    });
    const stdin = pipes?.input?.ours ?? leader.stdin;
    const stdout = pipes?.output.ours ?? leader.stdout;
    stdin?.on('error', ignore);
    await once(leader, 'spawn');
    leader.on('error', ignore);
    return stdout === null ? undefined : { leader, stdin, stdout };
  } catch {
    pipes?.input?.ours.destroy();
    pipes?.output.ours.destroy();
    return undefined;
  } finally {
    if (pipes !== undefined) closeTheirs(pipes);
  }
}

/** Signals the whole group, also when its leader has gone already. */
export function signalGroup(leader: ChildProcess, signal: NodeJS.Signals): void {
  if (leader.pid === undefined) return;
  try {
    process.kill(-leader.pid, signal);
  } catch {
    // Nobody of the group is left, or what is left belongs to another user.
  }
}

function ignore(): void {
  // A pipe that the other side has closed is told by what was taken of it.
}
