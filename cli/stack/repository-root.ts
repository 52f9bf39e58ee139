import path from 'node:path';
import { fileURLToPath } from 'node:url';

const repositoryRoot = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '');

/** The program that keeps local stacks; started by path, never imported. */
export const localProgram = path.join(repositoryRoot, 'test', 'local', 'main.ts');

/** Where local stacks keep their state: `.windlass` of the repository unless WINDLASS_STATE_FOLDER says otherwise. */
export function locateStateFolder(env: NodeJS.ProcessEnv): string {
  const named = env['WINDLASS_STATE_FOLDER'];
  return named === undefined || named === '' ? path.join(repositoryRoot, '.windlass') : named;
}
