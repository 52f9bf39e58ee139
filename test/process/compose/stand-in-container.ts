import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const container = join(import.meta.dirname, 'container');
export const adapter = join(repository, 'cli/bin/windlass-compose.mjs');

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: Buffer;
  stderr: string;
}

interface CallOptions {
  env?: Record<string, string | undefined>;
  input?: Buffer;
  nodeWords?: string[];
  /** In a process group of its own, as the artifact command starts its adapter. */
  detached?: boolean;
}

/** Makes the launcher believe that it runs on Node 20. */
export const pretendOldNode = [
  `--import=data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.11.0'}})`,
];

/** A folder with a `docker` for PATH, what it wrote down, and the container that it plays. */
export class StandInContainer {
  readonly folder = mkdtempSync(join(tmpdir(), 'windlass-compose-'));
  readonly records = join(this.folder, 'records');
  readonly store = join(this.folder, 'store');
  readonly bin = join(this.folder, 'bin');
  readonly environment: Record<string, string>;

  constructor() {
    const root = join(this.folder, 'container');
    const python = join(root, 'opt/hermes/.venv/bin');
    const source = join(root, 'opt/hermes-helmet/src/hermes_helmet');
    for (const made of [this.records, this.store, this.bin, join(root, 'bin'), python])
      mkdirSync(made, { recursive: true });
    cpSync(join(container, 'hermes_helmet'), source, { recursive: true });
    this.#copyProgram('python', python);
    this.#copyProgram('docker', this.bin);
    this.#copyProgram('hermes', join(root, 'bin'));
    this.environment = {
      PATH: `${this.bin}:${process.env['PATH'] ?? ''}`,
      COMPOSE_FILE: join(this.folder, 'compose.yaml'),
      COMPOSE_PROJECT_NAME: 'worker',
      HERMES_PROFILE: 'of-the-host',
      HERMES_PROFILE_NAME: 'of-the-host',
      STAND_IN_RECORDS: this.records,
      STAND_IN_CONTAINER: root,
      STAND_IN_STORE: this.store,
      STAND_IN_STORE_MODE: '',
      STAND_IN_STORE_PROGRAM: join(repository, 'examples/artifact-adapter/folder_adapter.py'),
    };
  }

  #copyProgram(name: string, folder: string): void {
    copyFileSync(join(container, name), join(folder, name));
    chmodSync(join(folder, name), 0o755);
  }

  makeTask(board: string, task: string): void {
    mkdirSync(join(this.store, board, task), { recursive: true });
  }

  start(
    words: string[],
    options: CallOptions = {},
  ): { child: ChildProcess; ended: Promise<Ended> } {
    const child = spawn(process.execPath, [...(options.nodeWords ?? []), adapter, ...words], {
      env: { ...this.environment, ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: options.detached ?? false,
    });
    const out: Buffer[] = [];
    const complaints: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk));
    // A call that is refused or ends early reads nothing.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? Buffer.alloc(0));
    const ended = once(child, 'close').then(([code, signal]) => ({
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
      stdout: Buffer.concat(out),
      stderr: Buffer.concat(complaints).toString('utf8'),
    }));
    return { child, ended };
  }

  async run(words: string[], options: CallOptions = {}): Promise<Ended> {
    return await this.start(words, options).ended;
  }

  /** What the stand-in `docker` was told, or nothing when it was never called. */
  readWords(): string[] | undefined {
    const file = join(this.records, 'words');
    return existsSync(file) ? readFileSync(file, 'utf8').split('\0').slice(0, -1) : undefined;
  }

  readRecord(name: string): string {
    return readFileSync(join(this.records, name), 'utf8');
  }

  has(name: string): boolean {
    return existsSync(join(this.records, name));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Whether a process is there and is not a dead one whose parent has not asked yet. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${String(pid)}/status`, 'utf8'));
  } catch {
    return false;
  }
}
