import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import {
  describeStandIn,
  runWindlass,
  startWindlass,
  type Ran,
  type RunOptions,
} from './run-windlass.ts';
import { startStandInApi, type StandInApi } from './start-stand-in-api.ts';

export interface StandIn {
  readonly api: StandInApi;
  /** An empty folder of this test. */
  readonly folder: string;
  run(words: string[], options?: RunOptions): Promise<Ran>;
  start(words: string[], options?: RunOptions): ReturnType<typeof startWindlass>;
}

/** A fresh stand-in and a fresh folder for each test, and the executable pointed at them. */
export function useStandInApi(): StandIn {
  let api: StandInApi;
  let folder: string;
  beforeEach(async () => {
    api = await startStandInApi();
    folder = await mkdtemp(path.join(tmpdir(), 'windlass-cli-'));
  });
  afterEach(async () => {
    await api.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const point = (options: RunOptions = {}) => ({
    cwd: folder,
    ...options,
    env: { ...describeStandIn(api), ...options.env },
  });
  return {
    get api() {
      return api;
    },
    get folder() {
      return folder;
    },
    run: (words, options) => runWindlass(words, point(options)),
    start: (words, options) => startWindlass(words, point(options)),
  };
}
