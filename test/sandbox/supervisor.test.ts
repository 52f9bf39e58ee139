import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { EXCHANGE } from '../../executor-task/exchange/exchange-folder.ts';
import type { Job } from '../../executor-task/exchange/job.ts';
import { progress } from '../../executor-task/exchange/progress.ts';
import { digest, TOOL } from './probe-environment.ts';
import { bundleProgram, RUN_AS } from './run-sandboxed.ts';
import { SECRET, WorkbenchRig } from './workbench-rig.ts';

describe.each(RUN_AS)('the workbench supervisor of %s', (runAs) => {
  let program: string;
  let rig: WorkbenchRig;
  beforeAll(async () => {
    const entry = join(import.meta.dirname, '../../executor-task/workbench/supervisor.ts');
    program = await bundleProgram(entry);
  });
  beforeEach(async () => {
    rig = await WorkbenchRig.open(runAs, program);
  });
  afterEach(() => rig.close());

  it('E83 runs a command over copied inputs and measures the output it copied', async () => {
    const done = await rig.runJob(['REPORT']);
    expect(done).toMatchObject({ refused: null, violations: [], refused_outputs: [] });
    const [output] = done.outputs;
    expect(output).toMatchObject({ name: 'report', size: 13, sha256: digest('> ONE+TWO+ONE') });
    expect(await readFile(join(rig.exchange, output!.file), 'utf8')).toBe('> ONE+TWO+ONE');
    const [command] = done.commands;
    expect(command).toMatchObject({ command_id: 'REPORT', exit_code: 0, timed_out: false });
    expect(command!.stdout.sha256).toBe(digest('a.txt 2\n'));
    expect(await readFile(join(rig.exchange, command!.stdout_file), 'utf8')).toBe('a.txt 2\n');
    expect(done.sandbox?.profile).toBe('namespaced');
    const last = progress.parse(
      JSON.parse(await readFile(join(rig.exchange, 'progress.json'), 'utf8')),
    );
    expect(last.phase).toBe('done');
    expect(statSync(rig.exchange).mode & 0o777).toBe(0o700);
  });

  it('E83 takes no link, replaced folder or undeclared file, and says so', async () => {
    expect(await rig.runJob(['LINK'])).toMatchObject({
      outputs: [],
      refused_outputs: [
        { path: 'report', reason: 'is a symbolic link' },
        { path: 'other', reason: 'is not declared' },
      ],
    });
  });

  it('E83 does not follow a folder of outputs that became a link', async () => {
    const done = await rig.runJob(['REPLACE']);
    expect(done.outputs).toEqual([]);
    expect(done.refused_outputs[0]).toEqual({ path: '', reason: 'is not a folder' });
  });

  it('E90 records a failed command, keeps what it wrote, and runs none after it', async () => {
    const done = await rig.runJob(['FAIL', 'REPORT']);
    expect(done.commands.map((command) => [command.command_id, command.exit_code])).toEqual([
      ['FAIL', 4],
    ]);
    expect(done.outputs).toMatchObject([{ name: 'report', sha256: digest('partly\n') }]);
  });

  it('E81 shows a command neither the exchange nor anything of the supervisor', async () => {
    const done = await rig.runJob(['REACH']);
    const said = await readFile(join(rig.exchange, done.commands[0]!.stdout_file), 'utf8');
    expect(said).toContain('PATH=');
    expect(said).toMatch(/cannot access '.*exchange'/);
    expect(said).not.toContain(SECRET);
    expect(said).not.toMatch(/^WINDLASS_/m);
  });

  it('E80 lets no command change inputs or parameters of the next', async () => {
    const done = await rig.runJob(['SPOIL', 'REPORT']);
    expect(done.outputs).toMatchObject([{ sha256: digest('> ONE+TWO+ONE') }]);
  });

  it('E94 ends the job at a violation and gives none of its outputs', async () => {
    const done = await rig.runJob(['REPORT', 'ATTACK', 'REPORT']);
    expect(done.violations).toMatchObject([{ command_id: 'ATTACK', syscall_name: 'mount' }]);
    expect(done.commands.map((command) => command.command_id)).toEqual(['REPORT', 'ATTACK']);
    expect(done.commands[1]).toMatchObject({ signal: 'SIGKILL', timed_out: false });
    expect(done.outputs).toEqual([]);
  });

  it('E56 refuses a command that the environment does not have, before any other runs', async () => {
    const done = await rig.runJob(['REPORT', 'FORMAT_DISK']);
    expect(done.refused).toMatchObject({ code: 'COMMAND_NOT_ALLOWED' });
    expect(done.commands).toEqual([]);
    await rig.renewExchange();
    const inherited = await rig.runJob(['REPORT'], { environment: 'elsewhere' });
    expect(inherited.refused?.code).toBe('ENVIRONMENT_INVALID');
  });

  it('E99 refuses a tool that is not the one that was verified', async () => {
    await rig.place('environments/probe/tool.mjs', `${TOOL}// changed`);
    const done = await rig.runJob(['REPORT']);
    expect(done.refused).toMatchObject({ code: 'TOOL_CHANGED' });
    expect(done.commands).toEqual([]);
  });

  it('E51 refuses an input whose bytes are not those the job names', async () => {
    const file = { file: 'inputs/a', filename: 'a', media_type: 'text/plain', sha256: digest('?') };
    const done = await rig.runJob(['REPORT'], {
      inputs: [{ name: 'main', list: false, files: [file] }],
    });
    expect(done.refused).toMatchObject({ code: 'INPUT_CHANGED' });
  });

  it('E14 refuses a job with an unknown field', async () => {
    const done = await rig.runJob(['REPORT'], { shell: 'rm -rf /' } as Partial<Job>);
    expect(done.refused?.code).toBe('JOB_INVALID');
  });

  it('E88 ends a command at its own time limit', async () => {
    const commands = [{ command_id: 'SLEEP', timeout_seconds: 1, params: {} }];
    const done = await rig.runJob(['SLEEP'], { commands });
    expect(done.commands).toMatchObject([{ timed_out: true, exceeded_limits: ['wall'] }]);
  });

  it.each(['the stop file', 'SIGTERM'])('p19 stops at %s and still gives a result', async (how) => {
    const ended = rig.start();
    await rig.submit(['SLEEP']);
    const log = join(rig.exchange, 'logs/01-stdout');
    await expect
      .poll(() => existsSync(log) && statSync(log).size, { timeout: 15_000 })
      .toBeGreaterThan(0);
    if (how === 'SIGTERM') rig.kill('SIGTERM');
    else await rig.place('exchange/stop', '');
    expect(await ended).toBe(0);
    const done = await rig.readResult();
    expect(done.stopped).toBe(true);
    expect(done.commands).toMatchObject([{ stopped: true, signal: 'SIGKILL' }]);
  });

  it('p19 stops while it waits for a job', async () => {
    const ended = rig.start();
    await expect
      .poll(() => existsSync(join(rig.exchange, EXCHANGE.progress)), { timeout: 15_000 })
      .toBe(true);
    await rig.place('exchange/stop', '');
    expect(await ended).toBe(0);
    expect(await rig.readResult()).toMatchObject({ stopped: true, commands: [], attempt_id: null });
  });

  it('E76 refuses the fargate profile here, and names what is missing', async () => {
    const ended = rig.start({ WINDLASS_SANDBOX_PROFILE: 'fargate' });
    await rig.submit(['REPORT']);
    await ended;
    const done = await rig.readResult();
    expect(done.refused?.code).toBe('SANDBOX_UNAVAILABLE');
    expect(done.refused?.reasons.join()).toContain('not the workbench container');
    expect(done.commands).toEqual([]);
  });
});
