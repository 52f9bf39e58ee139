import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { identifyProcess, isRunning, type ProcessIdentity } from '../process-identity.ts';
import { waitUntil } from '../wait-until.ts';
import { informationDescriptor } from './container-command.ts';

const killWaitMs = 10_000;
const pollMs = 10;
const signalBase = 128;
const signalNumbers: Partial<Record<NodeJS.Signals, number>> = { SIGKILL: 9, SIGTERM: 15 };
const informationSchema = z.object({ 'child-pid': z.number().int() });

export interface ContainerProcess {
  /** Init of the container's process namespace, by its id outside. */
  init: ProcessIdentity;
  /** Settles when every process of the container is gone, with the exit code as ECS counts it. */
  ended: Promise<number>;
}

/** Starts bubblewrap with exactly these variables; output goes to the log file. */
export async function startContainer(
  command: string[],
  environment: Record<string, string>,
  logFile: string,
): Promise<ContainerProcess> {
  const log = await open(logFile, 'a', 0o600);
  try {
    const child = spawn('bwrap', command, {
      env: environment,
      stdio: ['ignore', log.fd, log.fd, 'pipe'],
    });
    const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
    exited.catch(() => undefined);
    await once(child, 'spawn');
    const init = await readInit(child, logFile);
    return { init, ended: awaitEnd(exited, init) };
  } finally {
    await log.close();
  }
}

async function readInit(child: ChildProcess, logFile: string): Promise<ProcessIdentity> {
  const information = await text(child.stdio[informationDescriptor] as Readable);
  if (information === '') {
    const log = await readFile(logFile, 'utf8');
    throw new Error(`bubblewrap: ${log.trim().split('\n').at(-1) ?? 'did not start'}`);
  }
  const pid = informationSchema.parse(JSON.parse(information))['child-pid'];
  // A program that has ended already leaves an id that no longer exists: nothing runs under it.
  return identifyProcess(pid).catch(() => ({ pid, startTimeTicks: 'ended' }));
}

async function awaitEnd(
  exited: Promise<[number | null, NodeJS.Signals | null]>,
  init: ProcessIdentity,
): Promise<number> {
  const [code, signal] = await exited;
  await waitUntil(async () => !(await isRunning(init)), {
    timeoutMs: killWaitMs,
    intervalMs: pollMs,
    what: `end of the processes of container init ${String(init.pid)}`,
  });
  return code ?? signalBase + (signalNumbers[signal ?? 'SIGKILL'] ?? 0);
}

/** Asks the program to end. Bubblewrap's init would not pass the signal on, so it goes past it. */
export async function terminateContainer({ init }: ContainerProcess): Promise<void> {
  if (!(await isRunning(init))) return;
  const id = String(init.pid);
  const children = await readFile(`/proc/${id}/task/${id}/children`, 'utf8').catch(() => '');
  for (const child of children.split(' ').filter((entry) => entry !== '')) {
    sendSignal(Number(child), 'SIGTERM');
  }
}

/** The kernel ends every process of a namespace whose init is killed. */
export async function killContainer({ init }: ContainerProcess): Promise<void> {
  if (await isRunning(init)) sendSignal(init.pid, 'SIGKILL');
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
