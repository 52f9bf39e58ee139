import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type CdkPlace, bootstrapAccount, synthesiseApp } from './cdk-app.ts';
import { deployPreparedStack } from './deploy-stack.ts';
import { prepareEmulator } from './emulator/prepare-emulator.ts';
import { isOurs, startEmulator } from './emulator/start-emulator.ts';
import type { ContainerPrograms } from './fargate/container-programs.ts';
import { startFargate } from './fargate/start-fargate.ts';
import { lockStack } from './lock-stack.ts';
import { prepareBubblewrap } from './prepare-bubblewrap.ts';
import { isRunning } from './process-identity.ts';
import { repositoryRoot } from './repository-paths.ts';
import { runStep, type OnProgress } from './stack-progress.ts';
import {
  emulatorStateSchema,
  readStackState,
  resolveStackPaths,
  stacksFolder,
  writeStackState,
  type StackState,
} from './stack-state.ts';
import { endStackProcesses } from './stop-stack.ts';

export interface StartOptions {
  name: string;
  onProgress?: OnProgress;
  /** Folder with `cdk.json`; the repository's own app by default. */
  appFolder?: string;
  programs?: ContainerPrograms;
}

/**
 * Brings a local stack up: emulator, all stacks of the CDK app, local Fargate. Does only what is
 * missing, so a second call on a running stack returns at once. On an error nothing is left running.
 */
export async function startLocalStack({
  name,
  onProgress = () => undefined,
  appFolder = repositoryRoot,
  programs,
}: StartOptions): Promise<StackState> {
  return lockStack(name, async () => {
    const place = resolveCdkPlace(name, appFolder);
    const known = await readStackState(name);
    if (known !== undefined && (await isOurs(known))) {
      const running = await ensureFargate(known, onProgress, programs);
      if (running.outputs !== undefined) return running;
      await runStep('synthesise', onProgress, () => synthesiseApp(place));
      await runStep('bootstrap', onProgress, () => bootstrapAccount(place, running));
      return deployPreparedStack(running, place, onProgress);
    }
    if (known !== undefined) await endStackProcesses(known);
    return startAnew(name, place, { onProgress, programs });
  });
}

export function resolveCdkPlace(name: string, appFolder: string): CdkPlace {
  const { cloudAssembly, folder } = resolveStackPaths(name);
  return { appFolder, cloudAssembly, homeFolder: folder };
}

async function startAnew(
  name: string,
  place: CdkPlace,
  options: { onProgress: OnProgress; programs: ContainerPrograms | undefined },
): Promise<StackState> {
  const { onProgress, programs } = options;
  const paths = resolveStackPaths(name);
  await mkdir(paths.logs, { recursive: true });
  const { python } = await runStep('prepare', onProgress, async () => {
    await prepareBubblewrap();
    return prepareEmulator();
  });
  // Synthesis is the longest step and needs nothing of the others.
  const synthesis = runStep('synthesise', onProgress, () => synthesiseApp(place));
  synthesis.catch(() => undefined);
  let state: StackState | undefined;
  try {
    const emulator = await runStep('emulator', onProgress, () =>
      startEmulator({
        folder: paths.emulator,
        logFile: path.join(paths.logs, 'emulator.log'),
        python,
      }),
    );
    state = { ...emulator, name };
    await writeStackState(state);
    const started = state;
    await runStep('bootstrap', onProgress, () => bootstrapAccount(place, started));
    state = await ensureFargate(state, onProgress, programs);
    await synthesis;
    return await deployPreparedStack(state, place, onProgress);
  } catch (error) {
    await synthesis.catch(() => undefined);
    if (state !== undefined) await endStackProcesses(state);
    throw error;
  }
}

async function ensureFargate(
  state: StackState,
  onProgress: OnProgress,
  programs: ContainerPrograms | undefined,
): Promise<StackState> {
  if (state.fargate !== undefined && (await isRunning(state.fargate))) return state;
  const paths = resolveStackPaths(state.name);
  const fargate = await runStep('fargate', onProgress, () =>
    startFargate(
      {
        emulator: emulatorStateSchema.strip().parse(state),
        tasksFolder: paths.tasks,
        logsFolder: paths.logs,
        hiddenFolder: stacksFolder,
        environmentsFolder: path.join(repositoryRoot, 'dist', 'environments'),
        ...(programs === undefined ? {} : { programs }),
      },
      path.join(paths.folder, 'fargate.json'),
    ),
  );
  const next = { ...state, fargate };
  await writeStackState(next);
  return next;
}
