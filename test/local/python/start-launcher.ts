import { spawn } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { identifyProcess, isRunning, type ProcessIdentity } from '../process-identity.ts';
import { waitUntil } from '../wait-until.ts';

const pollMs = 25;
const announcementSchema = z.object({ port: z.number().int(), pid: z.number().int() });

export interface LauncherOptions {
  /** Interpreter that has the emulator, from `preparePython`. */
  python: string;
  launcher: string;
  /** Mode 600; its folder is the working directory. */
  settingsFile: string;
  /** Written over by nobody: every start appends to it. */
  logFile: string;
  /** Marks the process, and with it what it starts. */
  instanceId: string;
}

/** Starts a launcher of `launching.py`, in a process group of its own and with nothing of this shell. */
export async function startLauncher(options: LauncherOptions): Promise<ProcessIdentity> {
  const { python, launcher, settingsFile, logFile, instanceId } = options;
  const log = await open(logFile, 'a', 0o600);
  try {
    const child = spawn(python, ['-E', '-s', launcher, settingsFile], {
      cwd: path.dirname(settingsFile),
      // Its own process group, so that `down` reaches everything it started.
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', WINDLASS_INSTANCE: instanceId },
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    child.unref();
    return await identifyProcess(child.pid ?? 0);
  } finally {
    await log.close();
  }
}

/** The port that the launcher has taken. Throws its last line when it ended instead. */
export async function awaitAnnouncement(
  emulator: ProcessIdentity,
  { file, logFile, timeoutMs }: { file: string; logFile: string; timeoutMs: number },
): Promise<number> {
  return waitUntil(
    async () => {
      const text = await readFile(file, 'utf8').catch(() => undefined);
      if (text !== undefined) return announcementSchema.parse(JSON.parse(text)).port;
      if (await isRunning(emulator)) return undefined;
      const log = await readFile(logFile, 'utf8').catch(() => '');
      const last = log.trim().split('\n').at(-1) ?? '';
      throw new Error(`what writes ${path.basename(logFile)} ended at its start: ${last}`);
    },
    { timeoutMs, intervalMs: pollMs, what: `start of the emulator (${logFile})` },
  );
}
