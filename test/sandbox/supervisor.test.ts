import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { EXCHANGE } from '../../executor-task/exchange/exchange-folder.ts';
import type { Job } from '../../executor-task/exchange/job.ts';
import { progress } from '../../executor-task/exchange/progress.ts';
import { result, type Result } from '../../executor-task/exchange/result.ts';
import { bundleProgram, renderArgvAs, RUN_AS } from './run-sandboxed.ts';

const NOBODY = 65_534;
const ATTEMPT = 'att_01ARZ3NDEKTSV4RRFFQ69G5FAV';
const SECRET = 'battery-horse-staple-correct';

/** Copies its inputs to an output, in capitals, with the parameter in front. */
const TOOL = `
import { readFileSync, writeFileSync } from 'node:fs';
const inputs = JSON.parse(readFileSync('inputs.json'));
const { prefix } = JSON.parse(readFileSync('params.json'));
const text = [inputs.main, ...inputs.extra].map((input) => readFileSync(input.path, 'utf8')).join('+');
writeFileSync('outputs/report', prefix + text.toUpperCase());
console.log(inputs.main.filename, inputs.extra.length);
`;

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

describe.each(RUN_AS)('the workbench supervisor of %s', (runAs) => {
  let program: string;
  let base: string;
  let exchange: string;
  let child: ChildProcess | undefined;

  beforeAll(async () => {
    const entry = join(import.meta.dirname, '../../executor-task/workbench/supervisor.ts');
    program = await bundleProgram(entry);
  });
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'workbench-'));
    await chmod(base, 0o755);
    exchange = join(base, 'exchange');
    await openExchange();
    await place('environments/probe/tool.mjs', TOOL);
    await writeEnvironment();
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    await rm(base, { recursive: true });
  });

  async function place(path: string, content: string): Promise<void> {
    const folder = dirname(join(base, path));
    await mkdir(folder, { recursive: true });
    const written = join(base, 'written');
    await writeFile(written, content);
    if (path.startsWith('exchange/')) await giveToSupervisor(folder, written);
    await rename(written, join(base, path));
  }

  async function openExchange(): Promise<void> {
    await mkdir(exchange, { mode: 0o700 });
    await giveToSupervisor(exchange);
  }

  async function giveToSupervisor(...paths: string[]): Promise<void> {
    if (process.getuid?.() !== 0 || runAs === 'root') return;
    for (const path of paths) await chown(path, NOBODY, NOBODY);
  }

  async function writeEnvironment(tool = TOOL): Promise<void> {
    const node = '/opt/node/bin/node';
    const fixed = { tool: 'tool.mjs', tool_sha256: digest(tool) };
    const shell = (script: string) => ({ argv: ['/bin/sh', '-c', script], ...fixed });
    const mount = "import ctypes; ctypes.CDLL(None).mount(b'a', b'/tmp', b'tmpfs', 0, 0)";
    const manifest = {
      name: 'probe',
      version: '1.0.0',
      commands: {
        REPORT: { argv: [node, '/opt/environment/tool.mjs'], ...fixed },
        LINK: shell('ln -s /etc/passwd outputs/report; echo x > outputs/other'),
        REPLACE: shell('rmdir outputs; ln -s /etc outputs'),
        FAIL: shell('echo partly > outputs/report; exit 4'),
        SLEEP: shell('echo begun; exec sleep 600'),
        REACH: shell(
          `ls -d ${exchange} /proc/1/root/tmp 2>&1; env; cat /proc/*/environ 2>/dev/null; true`,
        ),
        SPOIL: shell('echo x > inputs/main; echo x > params.json; rm -rf inputs; true'),
        ATTACK: { argv: ['/usr/bin/python3', '-c', mount], ...fixed },
      },
    };
    await place('environments/probe/environment.json', JSON.stringify(manifest));
  }

  async function runJob(commands: string[], change: Partial<Job> = {}): Promise<Result> {
    const { ended } = start();
    await submit(commands, change);
    expect(await ended).toBe(0);
    return readResult();
  }

  function start(environment: Record<string, string> = {}) {
    const [file, ...args] = renderArgvAs(runAs, program);
    const started = spawn(file, args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      cwd: '/',
      env: {
        WINDLASS_EXCHANGE: exchange,
        WINDLASS_ENVIRONMENTS: join(base, 'environments'),
        WINDLASS_SANDBOX_PROFILE: 'namespaced',
        WINDLASS_TOKEN: SECRET,
        ...environment,
      },
    });
    child = started;
    const ended = new Promise<number | null>((resolve) => started.once('exit', resolve));
    return { ended };
  }

  async function submit(commands: string[], change: Partial<Job> = {}): Promise<void> {
    await place('exchange/inputs/a', 'one');
    await place('exchange/inputs/b', 'two');
    const file = (name: string, text: string) => ({
      file: `inputs/${name}`,
      filename: `${name}.txt`,
      media_type: 'text/plain',
      sha256: digest(text),
    });
    const job: Job = {
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
      ...change,
    };
    await place('exchange/job.json', JSON.stringify(job));
  }

  async function readResult(): Promise<Result> {
    return result.parse(JSON.parse(await readFile(join(exchange, EXCHANGE.result), 'utf8')));
  }

  it('E83 runs a command over copied inputs and measures the output it copied', async () => {
    const done = await runJob(['REPORT']);
    expect(done).toMatchObject({ refused: null, violations: [], refused_outputs: [] });
    const [output] = done.outputs;
    expect(output).toMatchObject({ name: 'report', size: 13, sha256: digest('> ONE+TWO+ONE') });
    expect(await readFile(join(exchange, output!.file), 'utf8')).toBe('> ONE+TWO+ONE');
    const [command] = done.commands;
    expect(command).toMatchObject({ command_id: 'REPORT', exit_code: 0, timed_out: false });
    expect(command!.stdout.sha256).toBe(digest('a.txt 2\n'));
    expect(await readFile(join(exchange, command!.stdout_file), 'utf8')).toBe('a.txt 2\n');
    expect(done.sandbox?.profile).toBe('namespaced');
    const last = progress.parse(
      JSON.parse(await readFile(join(exchange, 'progress.json'), 'utf8')),
    );
    expect(last.phase).toBe('done');
    expect(statSync(exchange).mode & 0o777).toBe(0o700);
  });

  it('E83 takes no link, replaced folder or undeclared file, and says so', async () => {
    expect(await runJob(['LINK'])).toMatchObject({
      outputs: [],
      refused_outputs: [
        { path: 'report', reason: 'is a symbolic link' },
        { path: 'other', reason: 'is not declared' },
      ],
    });
  });

  it('E83 does not follow a folder of outputs that became a link', async () => {
    const done = await runJob(['REPLACE']);
    expect(done.outputs).toEqual([]);
    expect(done.refused_outputs[0]).toEqual({ path: '', reason: 'is not a folder' });
  });

  it('E90 records a failed command, keeps what it wrote, and runs none after it', async () => {
    const done = await runJob(['FAIL', 'REPORT']);
    expect(done.commands.map((command) => [command.command_id, command.exit_code])).toEqual([
      ['FAIL', 4],
    ]);
    expect(done.outputs).toMatchObject([{ name: 'report', sha256: digest('partly\n') }]);
  });

  it('E81 shows a command neither the exchange nor anything of the supervisor', async () => {
    const done = await runJob(['REACH']);
    const said = await readFile(join(exchange, done.commands[0]!.stdout_file), 'utf8');
    expect(said).toContain('PATH=');
    expect(said).toMatch(/cannot access '.*exchange'/);
    expect(said).not.toContain(SECRET);
    expect(said).not.toMatch(/^WINDLASS_/m);
  });

  it('E80 lets no command change inputs or parameters of the next', async () => {
    const done = await runJob(['SPOIL', 'REPORT']);
    expect(done.outputs).toMatchObject([{ sha256: digest('> ONE+TWO+ONE') }]);
  });

  it('E94 ends the job at a violation and gives none of its outputs', async () => {
    const done = await runJob(['REPORT', 'ATTACK', 'REPORT']);
    expect(done.violations).toMatchObject([{ command_id: 'ATTACK', syscall_name: 'mount' }]);
    expect(done.commands.map((command) => command.command_id)).toEqual(['REPORT', 'ATTACK']);
    expect(done.outputs).toEqual([]);
  });

  it('E56 refuses a command that the environment does not have, before any other runs', async () => {
    const done = await runJob(['REPORT', 'FORMAT_DISK']);
    expect(done.refused).toMatchObject({ code: 'COMMAND_NOT_ALLOWED' });
    expect(done.commands).toEqual([]);
    const inherited = await runJobAgain(['REPORT'], { environment: 'elsewhere' });
    expect(inherited.refused?.code).toBe('ENVIRONMENT_INVALID');
  });

  async function runJobAgain(commands: string[], change: Partial<Job>): Promise<Result> {
    await rm(exchange, { recursive: true });
    await openExchange();
    return runJob(commands, change);
  }

  it('E99 refuses a tool that is not the one that was verified', async () => {
    await place('environments/probe/tool.mjs', `${TOOL}// changed`);
    const done = await runJob(['REPORT']);
    expect(done.refused).toMatchObject({ code: 'TOOL_CHANGED' });
    expect(done.commands).toEqual([]);
  });

  it('E17 refuses an input whose bytes are not those the job names', async () => {
    const file = { file: 'inputs/a', filename: 'a', media_type: 'text/plain', sha256: digest('?') };
    const done = await runJob(['REPORT'], {
      inputs: [{ name: 'main', list: false, files: [file] }],
    });
    expect(done.refused).toMatchObject({ code: 'INPUT_CHANGED' });
  });

  it('E14 refuses a job with an unknown field', async () => {
    const done = await runJob(['REPORT'], { shell: 'rm -rf /' } as Partial<Job>);
    expect(done.refused?.code).toBe('JOB_INVALID');
  });

  it('E88 ends a command at its own time limit', async () => {
    const commands = [{ command_id: 'SLEEP', timeout_seconds: 1, params: {} }];
    const done = await runJob(['SLEEP'], { commands });
    expect(done.commands).toMatchObject([{ timed_out: true, exceeded_limits: ['wall'] }]);
  });

  it.each(['the stop file', 'SIGTERM'])('p19 stops at %s and still gives a result', async (how) => {
    const { ended } = start();
    await submit(['SLEEP']);
    const log = join(exchange, 'logs/01-stdout');
    await expect
      .poll(() => existsSync(log) && statSync(log).size, { timeout: 15_000 })
      .toBeGreaterThan(0);
    if (how === 'SIGTERM') child?.kill('SIGTERM');
    else await place('exchange/stop', '');
    expect(await ended).toBe(0);
    const done = await readResult();
    expect(done.stopped).toBe(true);
    expect(done.commands).toMatchObject([{ stopped: true, signal: 'SIGKILL' }]);
  });

  it('p19 stops while it waits for a job', async () => {
    const { ended } = start();
    await expect
      .poll(() => existsSync(join(exchange, EXCHANGE.progress)), { timeout: 15_000 })
      .toBe(true);
    await place('exchange/stop', '');
    expect(await ended).toBe(0);
    expect(await readResult()).toMatchObject({ stopped: true, commands: [], attempt_id: null });
  });

  it('E76 refuses the fargate profile here, and names what is missing', async () => {
    const { ended } = start({ WINDLASS_SANDBOX_PROFILE: 'fargate' });
    await submit(['REPORT']);
    await ended;
    const done = await readResult();
    expect(done.refused?.code).toBe('SANDBOX_UNAVAILABLE');
    expect(done.refused?.reasons.join()).toContain('not the workbench container');
    expect(done.commands).toEqual([]);
  });
});
