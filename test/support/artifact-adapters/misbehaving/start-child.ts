import { spawn } from 'node:child_process';
import { once } from 'node:events';

interface ChildChoices {
  stdin?: 'inherit' | 'ignore';
  stdout?: 'inherit' | 'ignore';
  stderr?: 'inherit' | 'ignore';
  /** Leaves the group of the adapter, and its session. */
  leaves?: boolean;
  /** What it does once it ignores SIGTERM; it sleeps when this is not given. */
  program?: string;
}

/** Starts a process that ignores SIGTERM and outlives this one; returns when it does. */
export async function startChild(choices: ChildChoices): Promise<void> {
  const { stdin = 'ignore', stdout = 'ignore', stderr = 'ignore' } = choices;
  const script = `trap "" TERM HUP; echo ready >&3; exec 3>&-; ${choices.program ?? 'exec sleep 300'}`;
  const child = spawn('/bin/sh', ['-c', script], {
    stdio: [stdin, stdout, stderr, 'pipe'],
    detached: choices.leaves === true,
  });
  const ready = child.stdio[3];
  if (ready === null || ready === undefined) throw new Error('the child has no fourth stream');
  await once(ready, 'data');
  ready.destroy();
  child.unref();
}
