import { isOurs } from './emulator/start-emulator.ts';
import { isRunning } from './process-identity.ts';
import { readStackState } from './stack-state.ts';

export interface StackStatus {
  name: string;
  emulator: 'up' | 'down';
  fargate: 'up' | 'down';
  deployed: boolean;
  endpoint?: string;
  outputs?: Record<string, Record<string, string>>;
}

/** What of the stack is there now, asked of the processes themselves. */
export async function showLocalStack(name: string): Promise<StackStatus> {
  const state = await readStackState(name);
  if (state === undefined || !(await isOurs(state))) {
    return { name, emulator: 'down', fargate: 'down', deployed: false };
  }
  const { endpoint, fargate, outputs } = state;
  return {
    name,
    emulator: 'up',
    fargate: fargate !== undefined && (await isRunning(fargate)) ? 'up' : 'down',
    deployed: outputs !== undefined,
    endpoint,
    ...(outputs === undefined ? {} : { outputs }),
  };
}
