import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { endProcess } from '../local/end-process.ts';
import { prepareEmulator } from '../local/emulator/prepare-emulator.ts';
import { startEmulator, stopEmulator } from '../local/emulator/start-emulator.ts';
import type { ContainerPrograms } from '../local/fargate/container-programs.ts';
import { startFargate } from '../local/fargate/start-fargate.ts';
import type { ProcessIdentity } from '../local/process-identity.ts';
import type { EmulatorState } from '../local/stack-state.ts';

export interface BareStack {
  emulator: EmulatorState;
  fargate: ProcessIdentity;
  folder: string;
  logsFolder: string;
  environmentsFolder: string;
  /** Starts local Fargate again, as `up` does after it was killed. */
  restartFargate: () => Promise<ProcessIdentity>;
  stop: () => Promise<void>;
}

/** An emulator and local Fargate of their own, with nothing deployed, for one test file. */
export async function startBareStack(programs: ContainerPrograms): Promise<BareStack> {
  const folder = await mkdtemp(path.join(tmpdir(), 'windlass-bare-'));
  const { python } = await prepareEmulator();
  const emulator = await startEmulator({
    folder: path.join(folder, 'emulator'),
    logFile: path.join(folder, 'emulator.log'),
    python,
    ownerPid: process.pid,
  });
  const environmentsFolder = path.join(folder, 'environments');
  const settings = {
    emulator,
    tasksFolder: path.join(folder, 'tasks'),
    logsFolder: path.join(folder, 'logs'),
    hiddenFolder: folder,
    environmentsFolder,
    programs,
  };
  const start = () => startFargate(settings, path.join(folder, 'fargate.json'));
  const stack: BareStack = {
    emulator,
    fargate: await start(),
    folder,
    logsFolder: settings.logsFolder,
    environmentsFolder,
    restartFargate: async () => {
      stack.fargate = await start();
      return stack.fargate;
    },
    stop: async () => {
      await endProcess(stack.fargate, 5_000);
      await stopEmulator(emulator);
      await rm(folder, { recursive: true, force: true });
    },
  };
  return stack;
}
