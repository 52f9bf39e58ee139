import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { isRunning, type ProcessIdentity } from '../process-identity.ts';

const watchIntervalMs = 250;
const kibibytesInMebibyte = 1024;

async function listDescendants(pid: number): Promise<number[]> {
  const id = String(pid);
  const text = await readFile(`/proc/${id}/task/${id}/children`, 'utf8').catch(() => '');
  const children = text
    .split(' ')
    .filter((entry) => entry !== '')
    .map(Number);
  const below = await Promise.all(children.map(listDescendants));
  return [...children, ...below.flat()];
}

/** Memory that belongs to this process alone or is shared memory, not pages of files. */
async function readMemoryKibibytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${String(pid)}/status`, 'utf8').catch(() => '');
  return [...status.matchAll(/^(?:RssAnon|RssShmem):\s+(\d+) kB$/gm)]
    .map((match) => Number(match[1]))
    .reduce((sum, value) => sum + value, 0);
}

/**
 * Stands in for the memory cgroup of a real container: looks at all its processes four times a
 * second. A fast eater can pass the limit for that long, so this decides which exit code and
 * reason a test sees; it does not protect the machine.
 */
export async function awaitMemoryExcess(init: ProcessIdentity, limitMiB: number): Promise<boolean> {
  while (await isRunning(init)) {
    const pids = await listDescendants(init.pid);
    const sizes = await Promise.all(pids.map(readMemoryKibibytes));
    const kibibytes = sizes.reduce((sum, size) => sum + size, 0);
    if (kibibytes > limitMiB * kibibytesInMebibyte) return true;
    await delay(watchIntervalMs, undefined, { ref: false });
  }
  return false;
}
