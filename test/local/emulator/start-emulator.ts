import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { callControl } from '../call-control.ts';
import { writeCertificate } from '../certificate.ts';
import { endProcess } from '../end-process.ts';
import { findProcessesByVariable } from '../process-identity.ts';
import { awaitAnnouncement, startLauncher } from '../python/start-launcher.ts';
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
  const settingsFile = inFolder('settings.json');
  await writeFile(settingsFile, JSON.stringify(settings), { mode: 0o600 });

  const { python, logFile } = options;
  const emulator = await startLauncher({ python, launcher, settingsFile, logFile, instanceId });
  try {
    const announced = { file: announceFile, logFile, timeoutMs: startTimeoutMs };
    const port = await awaitAnnouncement(emulator, announced);
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
      what: `answer of the emulator (log: ${logFile})`,
    });
    return state;
  } catch (error) {
    await stopEmulator({ emulator, instanceId, temporaryFolder });
    throw error;
  }
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
