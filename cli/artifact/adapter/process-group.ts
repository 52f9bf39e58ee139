import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

export interface GroupCommand {
  words: readonly string[];
  /** Whether standard input is a stream of ours; otherwise it is empty. */
  takesInput: boolean;
  env: NodeJS.ProcessEnv;
}

/**
 * Starts a program as the leader of a process group of its own (A49); undefined when it cannot be started. Standard
 * error goes nowhere, so that nothing can be shown of it (A18).
 */
export async function startGroup(command: GroupCommand): Promise<ChildProcess | undefined> {
  const [program, ...rest] = command.words;
  if (program === undefined) return undefined;
  try {
    const leader = spawn(program, rest, {
      detached: true,
      env: command.env,
      stdio: [command.takesInput ? 'pipe' : 'ignore', 'pipe', 'ignore'],
    });
    leader.stdin?.on('error', ignore);
    await once(leader, 'spawn');
    leader.on('error', ignore);
    return leader;
  } catch {
    return undefined;
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
