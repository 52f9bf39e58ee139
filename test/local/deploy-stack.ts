import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { deployCloudAssembly, synthesiseApp, type CdkPlace } from './cdk-app.ts';
import { isOurs } from './emulator/start-emulator.ts';
import { localiseApiUrl } from './localise-api-url.ts';
import { lockStack } from './lock-stack.ts';
import { repositoryRoot } from './repository-paths.ts';
import { runStep, type OnProgress } from './stack-progress.ts';
import { readStackState, resolveStackPaths, writeStackState } from './stack-state.ts';
import type { StackState } from './stack-state.ts';

const outputsSchema = z.record(z.string(), z.record(z.string(), z.string()));

export interface DeployOptions {
  name: string;
  onProgress?: OnProgress;
  appFolder?: string;
}

/** Deploys the app as it is now into a running stack; what runs there goes on. */
export async function deployStack({
  name,
  onProgress = () => undefined,
  appFolder = repositoryRoot,
}: DeployOptions): Promise<StackState> {
  return lockStack(name, async () => {
    const state = await readStackState(name);
    if (state === undefined || !(await isOurs(state))) {
      throw new Error(`stack "${name}" is not up. Run: npx windlass local up --name ${name}`);
    }
    const { cloudAssembly, folder } = resolveStackPaths(name);
    const place = { appFolder, cloudAssembly, homeFolder: folder };
    await runStep('synthesise', onProgress, () => synthesiseApp(place));
    return deployPreparedStack(state, place, onProgress);
  });
}

/** Deploys what was synthesised and keeps the outputs; addresses in them are the local ones. */
export async function deployPreparedStack(
  state: StackState,
  place: CdkPlace,
  onProgress: OnProgress,
): Promise<StackState> {
  const file = resolveStackPaths(state.name).outputs;
  await runStep('deploy', onProgress, () => deployCloudAssembly(place, state, file));
  const outputs = outputsSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  for (const values of Object.values(outputs)) {
    for (const [key, value] of Object.entries(values)) {
      values[key] = localiseApiUrl(value, state.endpoint);
    }
  }
  const next = { ...state, outputs };
  await writeStackState(next);
  return next;
}
