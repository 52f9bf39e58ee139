import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { callControl } from '../call-control.ts';
import { writeCertificate } from '../certificate.ts';
import { endProcess } from '../end-process.ts';
import { findProcessesByVariable, identifyProcess, isRunning } from '../process-identity.ts';
import type { ProcessIdentity } from '../process-identity.ts';
import { pinnedNodeFolder } from '../repository-paths.ts';
import { localAccountId, localRegion, type EmulatorState } from '../stack-state.ts';
import { waitUntil } from '../wait-until.ts';

const launcher = path.join(import.meta.dirname, 'launcher.py');
const startTimeoutMs = 60_000;
const endGraceMs = 5_000;
const pollMs = 25;

/**
 * Bounds for memory, not quotas: a Lambda process takes about 70 MB. Attempts alternate between two functions, so that
 * two processes for each call at once stay warm; below that they would be started and ended all the time.
 */
const lambdaConcurrency = 16;
const lambdaProcesses = 40;

export interface EmulatorOptions {
  /** Emptied first; holds certificate and settings. */
  folder: string;
  logFile: string;
  /** Python that has the emulator, from `prepareEmulator`. */
  python: string;
  /** The emulator ends when this process has ended. */
  ownerPid?: number;
}

const announcementSchema = z.object({ port: z.number().int(), pid: z.number().int() });
const identitySchema = z.object({ instanceId: z.string() });

/** Starts one emulator on a free port of 127.0.0.1 and returns when it answers as this one. */
export async function startEmulator(options: EmulatorOptions): Promise<EmulatorState> {
  const instanceId = randomUUID();
  const controlSecret = randomBytes(32).toString('hex');
  const inFolder = (name: string) => path.join(options.folder, name);
  const certificate = inFolder('certificate.pem');
  const announceFile = inFolder('announcement.json');
  await rm(options.folder, { recursive: true, force: true });
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  await mkdir(path.dirname(options.logFile), { recursive: true });
  const temporaryFolder = await mkdtemp(path.join(tmpdir(), 'windlass-emulator-'));
  const certificateKey = inFolder('certificate-key.pem');
  await writeCertificate({ certificate, certificateKey, commonName: `windlass-${instanceId}` });
  const settings = {
    instanceId,
    controlSecret,
    certificate,
    certificateKey,
    announceFile,
    temporaryFolder,
    nodeFolder: pinnedNodeFolder,
    region: localRegion,
    accountId: localAccountId,
    lambdaConcurrency,
    lambdaProcesses,
    ownerPid: options.ownerPid,
  };
  await writeFile(inFolder('settings.json'), JSON.stringify(settings), { mode: 0o600 });

  const emulator = await spawnLauncher(options, inFolder('settings.json'), instanceId);
  try {
    const { port } = await awaitAnnouncement(emulator, announceFile, options.logFile);
    const endpoint = `https://127.0.0.1:${String(port)}`;
    const state: EmulatorState = {
      instanceId,
      endpoint,
      port,
      region: localRegion,
      accountId: localAccountId,
      accessKeyId: 'test',
      secretAccessKey: 'test',
      controlSecret,
      certificate,
      temporaryFolder,
      emulator,
    };
    await waitUntil(() => isOurs(state), {
      timeoutMs: startTimeoutMs,
      intervalMs: pollMs,
      what: `answer of the emulator (log: ${options.logFile})`,
    });
    return state;
  } catch (error) {
    await stopEmulator({ emulator, instanceId, temporaryFolder });
    throw error;
  }
}

async function spawnLauncher(
  options: EmulatorOptions,
  settingsFile: string,
  instanceId: string,
): Promise<ProcessIdentity> {
  const log = await open(options.logFile, 'a', 0o600);
  try {
    const child = spawn(options.python, ['-E', '-s', launcher, settingsFile], {
      cwd: options.folder,
      // Its own process group, so that `down` reaches everything it started.
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', WINDLASS_INSTANCE: instanceId },
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    child.unref();
    return await identifyProcess(child.pid ?? 0);
  } finally {
    await log.close();
  }
}

async function awaitAnnouncement(
  emulator: ProcessIdentity,
  file: string,
  logFile: string,
): Promise<z.infer<typeof announcementSchema>> {
  return waitUntil(
    async () => {
      const text = await readFile(file, 'utf8').catch(() => undefined);
      if (text !== undefined) return announcementSchema.parse(JSON.parse(text));
      if (await isRunning(emulator)) return undefined;
      const log = await readFile(logFile, 'utf8').catch(() => '');
      throw new Error(`the emulator ended at its start: ${log.trim().split('\n').at(-1) ?? ''}`);
    },
    { timeoutMs: startTimeoutMs, intervalMs: pollMs, what: `start of the emulator (${logFile})` },
  );
}

/** Whether the one that answers at this address is the emulator that was started for it. */
export async function isOurs(state: EmulatorState): Promise<boolean> {
  try {
    const answer = identitySchema.parse(await callControl(state, { path: 'identity' }));
    return answer.instanceId === state.instanceId;
  } catch {
    return false;
  }
}

/** Ends the emulator and every process it started; returns when none is left. */
export async function stopEmulator({
  emulator,
  instanceId,
  temporaryFolder,
}: Pick<EmulatorState, 'emulator' | 'instanceId' | 'temporaryFolder'>): Promise<void> {
  await endProcess(emulator, endGraceMs);
  for (const leftover of await findProcessesByVariable('WINDLASS_INSTANCE', instanceId)) {
    await endProcess(leftover, 0);
  }
  await rm(temporaryFolder, { recursive: true, force: true, maxRetries: 3 });
}
