import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prepareEmulator } from '../../local/emulator/prepare-emulator.ts';
import { isOurs, startEmulator, stopEmulator } from '../../local/emulator/start-emulator.ts';
import { isRunning } from '../../local/process-identity.ts';
import { waitUntil } from '../../local/wait-until.ts';

const launcher = path.join(import.meta.dirname, '../../local/emulator/launcher.py');
let folder: string;
let python: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'windlass-life-'));
  ({ python } = await prepareEmulator());
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const start = (name: string, ownerPid?: number) =>
  startEmulator({
    folder: path.join(folder, name),
    logFile: path.join(folder, `${name}.log`),
    python,
    ...(ownerPid === undefined ? {} : { ownerPid }),
  });

describe('emulator process', () => {
  it('ends when the process that owns it is killed', async () => {
    const owner = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)']);
    await once(owner, 'spawn');
    const emulator = await start('owned', owner.pid);
    expect(await isRunning(emulator.emulator)).toBe(true);
    owner.kill('SIGKILL');
    await waitUntil(async () => !(await isRunning(emulator.emulator)), {
      timeoutMs: 10_000,
      intervalMs: 50,
      what: 'end of the emulator',
    });
    await stopEmulator(emulator);
  });

  it('is not taken for another one that answers at the same port', async () => {
    const emulator = await start('known');
    expect(await isOurs(emulator)).toBe(true);
    const other = await start('other');
    expect(await isOurs({ ...other, port: emulator.port, endpoint: emulator.endpoint })).toBe(
      false,
    );
    await stopEmulator(emulator);
    await stopEmulator(other);
    expect(await isOurs(emulator)).toBe(false);
  });

  it('keeps its settings, which hold the secret, from other users', async () => {
    const emulator = await start('closed');
    const settings = path.join(folder, 'closed', 'settings.json');
    await chmod(settings, 0o644);
    const refused = await execa(python, [launcher, settings], { reject: false });
    expect(refused.exitCode).not.toBe(0);
    expect(refused.stderr).toContain('make it 600');
    const commandLine = await readFile(`/proc/${String(emulator.emulator.pid)}/cmdline`, 'utf8');
    const variables = await readFile(`/proc/${String(emulator.emulator.pid)}/environ`, 'utf8');
    expect(`${commandLine}${variables}`).not.toContain(emulator.controlSecret);
    await stopEmulator(emulator);
  });

  it('two preparations at once build one environment, and a third does nothing', async () => {
    const fresh = path.join(folder, 'fresh');
    const both = await Promise.all([prepareEmulator(fresh), prepareEmulator(fresh)]);
    expect(both.map(({ installed }) => installed).sort()).toEqual([false, true]);
    expect((await prepareEmulator(fresh)).installed).toBe(false);
    const version = ['-c', 'from importlib.metadata import version; print(version("ministack"))'];
    const { stdout } = await execa(both[0].python, version);
    expect(stdout).toBe('1.5.33');
  });
});
