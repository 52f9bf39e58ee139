import { isRunning, type ProcessIdentity } from './process-identity.ts';
import { waitUntil } from './wait-until.ts';

const killWaitMs = 5_000;
const pollMs = 20;

/** False when it has gone; never signals a process that merely has the same id. */
async function signalProcess(
  target: ProcessIdentity,
  signal: NodeJS.Signals,
  wholeGroup: boolean,
): Promise<boolean> {
  if (!(await isRunning(target))) return false;
  try {
    process.kill(wholeGroup ? -target.pid : target.pid, signal);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/** SIGTERM, then SIGKILL after the grace period; returns when the process is gone for sure. */
export async function endProcess(
  target: ProcessIdentity,
  graceMs: number,
  { wholeGroup = false } = {},
): Promise<void> {
  const ended = async () => !(await isRunning(target));
  const what = `end of process ${String(target.pid)}`;
  if (!(await signalProcess(target, 'SIGTERM', wholeGroup))) return;
  await waitUntil(ended, { timeoutMs: graceMs, intervalMs: pollMs, what }).catch(async () => {
    await signalProcess(target, 'SIGKILL', wholeGroup);
    await waitUntil(ended, { timeoutMs: killWaitMs, intervalMs: pollMs, what });
  });
}
