import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { prepareLocalstack } from '../local/localstack/prepare-localstack.ts';
import { startLocalstack } from '../local/localstack/start-localstack.ts';
import { isRunning } from '../local/process-identity.ts';
import { waitUntil } from '../local/wait-until.ts';
import { useEmulator } from '../support/use-emulator.ts';

/** The addresses at which something listens at this port, as Linux writes them. See proc_net_tcp in its documentation. */
async function listListeners(port: number): Promise<string[]> {
  const listening = '0A';
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readTable(name)));
  const rows = tables.flat().map((line) => line.trim().split(/\s+/));
  return rows.flatMap(([, local = '', , state]) =>
    state === listening && local.endsWith(`:${hexPort}`) ? [local.slice(0, -5)] : [],
  );
}

async function readTable(name: string): Promise<string[]> {
  const text = await readFile(`/proc/net/${name}`, 'utf8').catch(() => '');
  return text.split('\n').slice(1);
}

describe('LocalStack as a process', () => {
  it('listens on 127.0.0.1 and on no other address', async () => {
    expect(await listListeners(useEmulator().emulator.port)).toEqual(['0100007F']);
  });

  it('ends with its files when the process that owns it is killed', async () => {
    const owner = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)']);
    await once(owner, 'spawn');
    const folder = await mkdtemp(path.join(tmpdir(), 'windlass-owner-'));
    const { python } = await prepareLocalstack();
    const logFile = path.join(folder, 'localstack.log');
    const ownerPid = owner.pid ?? 0;
    const { emulator, temporaryFolder } = await startLocalstack({ python, logFile, ownerPid });
    expect(await isRunning(emulator)).toBe(true);
    owner.kill('SIGKILL');
    await waitUntil(async () => !(await isRunning(emulator)), {
      timeoutMs: 10_000,
      intervalMs: 50,
      what: 'end of LocalStack',
    });
    await expect(access(temporaryFolder)).rejects.toThrow('ENOENT');
    await rm(folder, { recursive: true, force: true });
  });
});
