import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { rm, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach } from 'vitest';
import {
  killMarked,
  listMarked,
  waitForNoMarked,
} from '../../../../support/artifact-adapters/marked-processes.ts';
import { useFolder } from './use-folder.ts';
import { waitUntil } from './wait-until.ts';

const executable = fileURLToPath(new URL('../../../../../cli/bin/windlass.mjs', import.meta.url));
const adapter = fileURLToPath(new URL('../programs/tiny-adapter.mjs', import.meta.url));

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface Choices {
  env?: Record<string, string>;
  /** How the tiny adapter plays. */
  play?: string;
  /** Words in front of the command, which run it. */
  prefix?: string[];
}

/** The executable, in a folder of its own, with the tiny adapter over a store beside it. */
export function useTinyStore() {
  const folder = useFolder();
  let mark = '';
  beforeEach(async () => {
    mark = randomBytes(6).toString('hex');
    await mkdir(folder.at('work'));
  });
  afterEach(() => {
    killMarked(`TINY_MARK=${mark}`);
  });

  function start(words: string[], choices: Choices = {}) {
    const runner: string[] = [...(choices.prefix ?? []), process.execPath];
    const [program = process.execPath, ...before] = runner;
    const child = spawn(program, [...before, executable, 'artifact', ...words], {
      cwd: folder.at('work'),
      env: {
        PATH: process.env['PATH'],
        HOME: '/nonexistent',
        WINDLASS_WORKER_RUNTIME: `'${process.execPath}' '${adapter}'`,
        TINY_STORE: folder.at('store'),
        TINY_MARK: mark,
        TINY_PLAY: choices.play ?? '',
        ...choices.env,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const said = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => (said.stdout += chunk.toString('utf8')));
    child.stderr.on('data', (chunk: Buffer) => (said.stderr += chunk.toString('utf8')));
    const ended = once(child, 'close').then(([code]): Ran => ({ code: code as number, ...said }));
    return { child, said, ended };
  }

  return {
    at: (...names: string[]) => folder.at('work', ...names),
    inStore: (name: string) => folder.at('store', name),
    start,
    run: async (words: string[], choices: Choices = {}) => await start(words, choices).ended,
    /** Attaches a file and gives its reference. */
    attach: async (name: string, bytes: string | Uint8Array): Promise<string> => {
      writeFileSync(folder.at('work', name), bytes);
      const ran = await start(['upload', 'demo', 't_1', name]).ended;
      await rm(folder.at('work', name));
      return (JSON.parse(ran.stdout) as { reference: string }).reference;
    },
    waitForPause: async () => {
      await waitUntil('the adapter pauses', () => existsSync(folder.at('store', 'paused')));
    },
    letGo: () => {
      writeFileSync(folder.at('store', 'go'), '');
    },
    readCalls: (): string[][] => {
      const calls = folder.at('store', 'calls');
      if (!existsSync(calls)) return [];
      const lines = readFileSync(calls, 'utf8').trim().split('\n');
      return lines.map((line) => JSON.parse(line) as string[]);
    },
    listLiving: () => listMarked(`TINY_MARK=${mark}`),
    waitForNoneLiving: async () => await waitForNoMarked(`TINY_MARK=${mark}`),
    path: () => path.join(folder.path, 'work'),
  };
}
