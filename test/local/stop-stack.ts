import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { stopEmulator } from './emulator/start-emulator.ts';
import { endProcess } from './end-process.ts';
import { lockStack } from './lock-stack.ts';
import { findProcessesByVariable } from './process-identity.ts';
import { runStep, type OnProgress } from './stack-progress.ts';
import { readStackState, resolveStackPaths, type StackState } from './stack-state.ts';

const fargateGraceMs = 3_000;

/** Local Fargate first, so that nothing new starts; its containers die with it. */
export async function endStackProcesses(state: StackState): Promise<void> {
  if (state.fargate !== undefined) await endProcess(state.fargate, fargateGraceMs);
  await stopEmulator(state);
  const left = await findProcessesByVariable('WINDLASS_INSTANCE', state.instanceId);
  if (left.length > 0) {
    const pids = left.map(({ pid }) => String(pid)).join(', ');
    throw new Error(`stack "${state.name}": processes ${pids} did not end`);
  }
}

/**
 * Ends every process of the stack and throws its state away; logs stay. False when it was not up.
 * A second call, or one after a crash, cleans up what is left.
 */
export async function stopLocalStack(
  name: string,
  onProgress: OnProgress = () => undefined,
): Promise<boolean> {
  return lockStack(name, async () => {
    const state = await readStackState(name);
    await runStep('stop', onProgress, async () => {
      if (state !== undefined) await endStackProcesses(state);
      await removeAllButLogs(name);
    });
    return state !== undefined;
  });
}

async function removeAllButLogs(name: string): Promise<void> {
  const { folder, logs } = resolveStackPaths(name);
  const entries = await readdir(folder).catch(() => []);
  for (const entry of entries) {
    const file = path.join(folder, entry);
    if (file !== logs) await rm(file, { recursive: true, force: true, maxRetries: 3 });
  }
}
