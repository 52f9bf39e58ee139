import { spawn } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { EXCHANGE } from '../../executor-task/exchange/exchange-folder.ts';
import type { Job } from '../../executor-task/exchange/job.ts';
import { result, type Result } from '../../executor-task/exchange/result.ts';
import { digest, renderManifest, TOOL } from './probe-environment.ts';
import { renderArgvAs, type RunAs } from './run-sandboxed.ts';

const NOBODY = 65_534;
const ATTEMPT = 'att_01ARZ3NDEKTSV4RRFFQ69G5FAV';

/** Stands in the supervisor's own environment; nothing may carry it further. */
export const SECRET = 'battery-horse-staple-correct';

/** A supervisor with folders of its own, and a courier's hands to feed it. */
export class WorkbenchRig {
  readonly base: string;
  readonly exchange: string;
  readonly #runAs: RunAs;
  readonly #program: string;
  #kill: (signal: NodeJS.Signals) => void = () => undefined;

  private constructor(base: string, runAs: RunAs, program: string) {
    this.base = base;
    this.exchange = join(base, 'exchange');
    this.#runAs = runAs;
    this.#program = program;
  }

  static async open(runAs: RunAs, program: string): Promise<WorkbenchRig> {
    const rig = new WorkbenchRig(await mkdtemp(join(tmpdir(), 'workbench-')), runAs, program);
    await chmod(rig.base, 0o755);
    await rig.renewExchange();
    await rig.place('environments/probe/tool.mjs', TOOL);
    await rig.place('environments/probe/environment.json', renderManifest(rig.exchange));
    return rig;
  }

  async close(): Promise<void> {
    this.kill('SIGKILL');
    await rm(this.base, { recursive: true });
  }

  async renewExchange(): Promise<void> {
    await rm(this.exchange, { recursive: true, force: true });
    await mkdir(this.exchange, { mode: 0o700 });
    await this.#giveToSupervisor(this.exchange);
  }

  /** Writes a file whole or not at all. */
  async place(path: string, content: string): Promise<void> {
    const folder = dirname(join(this.base, path));
    await mkdir(folder, { recursive: true });
    const written = join(this.base, 'written');
    await writeFile(written, content);
    if (path.startsWith('exchange/')) await this.#giveToSupervisor(folder, written);
    await rename(written, join(this.base, path));
  }

  /** Starts the supervisor; resolves with its exit code in the end. */
  start(environment: Record<string, string> = {}): Promise<number | null> {
    const [file, ...args] = renderArgvAs(this.#runAs, this.#program);
    const child = spawn(file, args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      cwd: '/',
      env: {
        WINDLASS_EXCHANGE: this.exchange,
        WINDLASS_ENVIRONMENTS: join(this.base, 'environments'),
        WINDLASS_SANDBOX_PROFILE: 'namespaced',
        WINDLASS_TOKEN: SECRET,
        ...environment,
      },
    });
    this.#kill = (signal) => child.kill(signal);
    return new Promise((resolve) => child.once('exit', resolve));
  }

  kill(signal: NodeJS.Signals): void {
    this.#kill(signal);
  }

  async submit(commands: string[], change: Partial<Job> = {}): Promise<void> {
    await this.place('exchange/inputs/a', 'one');
    await this.place('exchange/inputs/b', 'two');
    const job: Job = { ...describeJob(commands), ...change };
    await this.place('exchange/job.json', JSON.stringify(job));
  }

  async readResult(): Promise<Result> {
    return result.parse(JSON.parse(await readFile(join(this.exchange, EXCHANGE.result), 'utf8')));
  }

  async runJob(commands: string[], change: Partial<Job> = {}): Promise<Result> {
    const ended = this.start();
    await this.submit(commands, change);
    const code = await ended;
    if (code !== 0) throw new Error(`the supervisor ended with ${String(code)}`);
    return this.readResult();
  }

  async #giveToSupervisor(...paths: string[]): Promise<void> {
    if (process.getuid?.() !== 0 || this.#runAs === 'root') return;
    for (const path of paths) await chown(path, NOBODY, NOBODY);
  }
}

function describeJob(commands: string[]): Job {
  const file = (name: string, text: string) => ({
    file: `inputs/${name}`,
    filename: `${name}.txt`,
    media_type: 'text/plain',
    sha256: digest(text),
  });
  return {
    attempt_id: ATTEMPT,
    environment: 'probe',
    commands: commands.map((command_id) => ({
      command_id,
      timeout_seconds: 20,
      params: { prefix: '> ' },
    })),
    inputs: [
      { name: 'main', list: false, files: [file('a', 'one')] },
      { name: 'extra', list: true, files: [file('b', 'two'), file('a', 'one')] },
    ],
    outputs: [{ name: 'report', media_type: 'text/plain', max_bytes: 1000 }],
    limits: {},
  };
}
