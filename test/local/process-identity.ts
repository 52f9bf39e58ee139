import { readFile, readdir } from 'node:fs/promises';

/** A process id together with its start time, in clock ticks since boot: a reused id has another. */
export interface ProcessIdentity {
  pid: number;
  startTimeTicks: string;
}

interface ProcessStatus {
  state: string;
  startTimeTicks: string;
}

/** Undefined when there is no such process. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
async function readStatus(pid: number): Promise<ProcessStatus | undefined> {
  const text = await readFile(`/proc/${String(pid)}/stat`, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  // The command name, field 2, may contain spaces and parentheses: count after the last one.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', startTimeTicks: fields[19] ?? '' };
}

/** Throws when the process has gone already. */
export async function identifyProcess(pid: number): Promise<ProcessIdentity> {
  const status = await readStatus(pid);
  if (status === undefined) throw new Error(`process ${String(pid)}: ended before it was recorded`);
  return { pid, startTimeTicks: status.startTimeTicks };
}

/** A zombie counts as gone: it runs nothing and holds nothing, its parent just has not looked. */
export async function isRunning({ pid, startTimeTicks }: ProcessIdentity): Promise<boolean> {
  const status = await readStatus(pid);
  return (
    status !== undefined &&
    status.startTimeTicks === startTimeTicks &&
    status.state !== 'Z' &&
    status.state !== 'X'
  );
}

/**
 * Every live process whose environment at its start held `name=value`. A program that overwrites
 * its environment area can hide, so this finds leftovers; it is no security boundary.
 */
export async function findProcessesByVariable(
  name: string,
  value: string,
): Promise<ProcessIdentity[]> {
  const entries = await readdir('/proc');
  const found: ProcessIdentity[] = [];
  for (const entry of entries.filter((candidate) => /^\d+$/.test(candidate))) {
    const environment = await readFile(`/proc/${entry}/environ`, 'utf8').catch(() => '');
    if (!environment.split('\0').includes(`${name}=${value}`)) continue;
    const status = await readStatus(Number(entry));
    if (status === undefined || status.state === 'Z') continue;
    found.push({ pid: Number(entry), startTimeTicks: status.startTimeTicks });
  }
  return found;
}
