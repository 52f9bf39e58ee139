export type StackStep =
  'prepare' | 'emulator' | 'synthesise' | 'bootstrap' | 'deploy' | 'fargate' | 'stop';

export interface StackProgress {
  step: StackStep;
  status: 'started' | 'done' | 'failed';
  /** Wall time of the step, once it has ended. */
  seconds?: number;
}

export type OnProgress = (progress: StackProgress) => void;

const millisecondsInSecond = 1_000;

/** Runs one step and tells when it starts and how it ends. */
export async function runStep<T>(
  step: StackStep,
  onProgress: OnProgress,
  work: () => Promise<T>,
): Promise<T> {
  const start = performance.now();
  const measure = () => Math.round((performance.now() - start) / 10) / (millisecondsInSecond / 10);
  onProgress({ step, status: 'started' });
  try {
    const result = await work();
    onProgress({ step, status: 'done', seconds: measure() });
    return result;
  } catch (error) {
    onProgress({ step, status: 'failed', seconds: measure() });
    throw error;
  }
}
