import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const shipped = ['windlass-aws', 'windlass-compose'];

/**
 * The program of an adapter that comes with the command, for its bare name where PATH does not have it: `npx` may know
 * the command by name and not yet what lies beside it.
 */
export function findShippedAdapter(program: string, env: NodeJS.ProcessEnv): string {
  if (!shipped.includes(program) || isOnPath(program, env)) return program;
  return fileURLToPath(new URL(`../../bin/${program}.mjs`, import.meta.url));
}

function isOnPath(program: string, env: NodeJS.ProcessEnv): boolean {
  const folders = (env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return folders.some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
