import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const place = (name: string) => fileURLToPath(new URL(`./programs/${name}`, import.meta.url));

export interface FixtureStore {
  /** A folder for the commands, beside the store. */
  work: string;
  /** The store's own folder. */
  folder: string;
  /** The command prefix, as `--worker-runtime` takes it; with a fault, that of the faulty adapter. */
  runtime: (fault?: string) => string;
  makeTask: (board: string, task: string) => void;
  /** The argument lists the adapter was started with until now. */
  calls: () => string[][];
  remove: () => void;
}

/** A store of its own with no board in it yet. */
export function makeFixtureStore(): FixtureStore {
  const root = mkdtempSync(path.join(tmpdir(), 'windlass-fixture-'));
  const folder = path.join(root, 'store');
  const work = path.join(root, 'work');
  mkdirSync(folder);
  mkdirSync(work);
  const node = process.execPath;
  return {
    work,
    folder,
    runtime: (fault) =>
      fault === undefined
        ? `${node} ${place('fixture-adapter.mjs')} --store ${folder}`
        : `${node} ${place('faulty-adapter.mjs')} ${fault} --store ${folder}`,
    makeTask: (board, task) => {
      mkdirSync(path.join(folder, 'boards', board, 'tasks', task), { recursive: true });
    },
    calls: () =>
      readFileSync(path.join(folder, 'calls.jsonl'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as string[]),
    remove: () => {
      rmSync(root, { recursive: true, force: true });
    },
  };
}

export interface AdapterAnswer {
  status: number;
  output: Buffer;
}

/** Calls the fixture adapter directly, as the command would not. */
export async function callFixture(
  store: FixtureStore,
  words: string[],
  input: Buffer = Buffer.alloc(0),
): Promise<AdapterAnswer> {
  const argv = [place('fixture-adapter.mjs'), '--store', store.folder, ...words];
  return await new Promise((resolve) => {
    const options = { encoding: 'buffer', maxBuffer: 64 * 1024 * 1024 } as const;
    const child = execFile(process.execPath, argv, options, (error, output) => {
      resolve({ status: error === null ? 0 : Number(error.code), output });
    });
    // An adapter that refuses early does not read what is still to come.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}
