import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { renderFailureLine } from '../../../cli/artifact/artifact-failure.ts';
import { canary, reference } from '../../support/artifact-adapters/misbehaving/call.ts';
import { loadFamily } from '../../support/artifact-adapters/misbehaving/families.ts';
import { executable } from '../../support/artifact-adapters/run-artifact-command.ts';

const run = promisify(execFile);
const place = (name: string) =>
  fileURLToPath(new URL(`../../support/artifact-adapters/programs/${name}`, import.meta.url));
const behaviours = await loadFamily('at-a-terminal');

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'windlass-terminal-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** All that a person sees: the command runs with a terminal of its own for all three streams. */
async function watchTerminal(behaviour: number): Promise<string> {
  const adapter = `${process.execPath} ${place('misbehaving-adapter.mjs')} at-a-terminal ${String(behaviour)}`;
  const command = [executable, 'artifact', 'download', reference, 'out.bin'];
  const words = [process.execPath, ...command, '--worker-runtime', adapter];
  const { stdout } = await run('python3', [place('in-terminal.py'), ...words], {
    cwd: folder,
    env: { ...process.env, MATRIX_FOLDER: folder, TERM: 'xterm' },
  });
  return stdout;
}

describe('artifact commands at a terminal', () => {
  it.each(behaviours.map(({ title, code }, number) => ({ title, code, number })))(
    '$title',
    async ({ code, number }) => {
      const seen = await watchTerminal(number);
      expect(seen).not.toContain(canary);
      if (code === 'ok') {
        expect(seen).toContain('"destination"');
        expect(readdirSync(folder)).toEqual(['out.bin']);
      } else {
        const line = renderFailureLine(code as Parameters<typeof renderFailureLine>[0]);
        expect(seen.split('\r\n').filter((text) => text.includes('err:'))).toEqual([line]);
        expect(readdirSync(folder)).toEqual([]);
      }
    },
  );
});
