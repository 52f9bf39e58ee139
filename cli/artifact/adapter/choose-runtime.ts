import { ArtifactFailure } from '../artifact-failure.ts';

const variables = ['WINDLASS_WORKER_RUNTIME', 'HERMES_HELMET_WORKER_RUNTIME'] as const;

/**
 * The configured command prefix of the adapter (A4). An empty variable counts as unset; an empty flag names no adapter,
 * and none is taken in its place.
 *
 * @throws ArtifactFailure worker_runtime_unset
 */
export function chooseRuntime(flag: string | undefined, env: NodeJS.ProcessEnv): string {
  const named = [flag ?? '', ...(flag === undefined ? variables.map((name) => env[name]) : [])];
  const runtime = named.find((text) => text !== undefined && text.trim() !== '');
  if (runtime === undefined) throw new ArtifactFailure('worker_runtime_unset');
  return runtime;
}
