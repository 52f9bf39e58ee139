import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { identifyProcess, type ProcessIdentity } from '../process-identity.ts';
import { pinnedNode } from '../repository-paths.ts';
import type { FargateSettings } from './fargate-settings.ts';

const entry = path.join(import.meta.dirname, 'main.ts');

/** Starts local Fargate as a process of its own, which outlives the caller. */
export async function startFargate(
  settings: Omit<FargateSettings, 'programs'> & Partial<Pick<FargateSettings, 'programs'>>,
  settingsFile: string,
): Promise<ProcessIdentity> {
  await mkdir(settings.tasksFolder, { recursive: true });
  await mkdir(settings.logsFolder, { recursive: true });
  await writeFile(settingsFile, JSON.stringify(settings), { mode: 0o600 });
  const log = await open(path.join(settings.logsFolder, 'local-fargate.log'), 'a', 0o600);
  try {
    const child = spawn(pinnedNode, [entry, settingsFile], {
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      env: {
        PATH: '/usr/local/bin:/usr/bin:/bin',
        LANG: 'C.UTF-8',
        WINDLASS_INSTANCE: settings.emulator.instanceId,
      },
    });
    await once(child, 'spawn');
    child.unref();
    return await identifyProcess(child.pid ?? 0);
  } finally {
    await log.close();
  }
}
