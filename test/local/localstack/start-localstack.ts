import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeCertificate } from '../certificate.ts';
import { stopEmulator } from '../emulator/start-emulator.ts';
import { awaitAnnouncement, startLauncher } from '../python/start-launcher.ts';
import { localAccountId, localRegion, type EmulatorState } from '../stack-state.ts';
import { waitUntil } from '../wait-until.ts';

const launcher = path.join(import.meta.dirname, 'launcher.py');
const startTimeoutMs = 120_000;
const pollMs = 50;

export interface LocalstackOptions {
  /** Python that has LocalStack, from `prepareLocalstack`. */
  python: string;
  /** Begun anew. */
  logFile: string;
  /** LocalStack ends when this process has ended. */
  ownerPid: number;
}

/** Starts LocalStack's S3 on a free port of 127.0.0.1 and returns when it answers. `stopEmulator` ends it. */
export async function startLocalstack(options: LocalstackOptions): Promise<EmulatorState> {
  const { python, logFile, ownerPid } = options;
  const instanceId = randomUUID();
  // Everything but the log lies here: LocalStack removes it at its end, also when this process was killed.
  const temporaryFolder = await mkdtemp(path.join(tmpdir(), 'windlass-localstack-'));
  const inFolder = (name: string) => path.join(temporaryFolder, name);
  const [certificate, certificateKey] = [inFolder('certificate.pem'), inFolder('key.pem')];
  await writeCertificate({ certificate, certificateKey, commonName: `windlass-${instanceId}` });
  const certificateWithKey = inFolder('certificate-with-key.pem');
  const pem = await Promise.all([certificateKey, certificate].map((file) => readFile(file)));
  await writeFile(certificateWithKey, Buffer.concat(pem), { mode: 0o600 });

  const [settingsFile, announceFile] = [inFolder('settings.json'), inFolder('announcement.json')];
  const settings = { instanceId, certificateWithKey, announceFile, temporaryFolder, ownerPid };
  await writeFile(settingsFile, JSON.stringify(settings), { mode: 0o600 });
  await rm(logFile, { force: true });

  const emulator = await startLauncher({ python, launcher, settingsFile, logFile, instanceId });
  const started = { emulator, instanceId, temporaryFolder };
  try {
    const announced = { file: announceFile, logFile, timeoutMs: startTimeoutMs };
    const port = await awaitAnnouncement(emulator, announced);
    await awaitHealth(port, logFile);
    return {
      ...started,
      endpoint: `https://127.0.0.1:${String(port)}`,
      port,
      region: localRegion,
      accountId: localAccountId,
      accessKeyId: 'test',
      secretAccessKey: 'test',
      // There are no private paths to open.
      controlSecret: '',
      certificate,
    };
  } catch (error) {
    await stopEmulator(started);
    throw error;
  }
}

/** The launcher has held the port since its start, so what answers there is it. One port speaks HTTP and HTTPS. */
async function awaitHealth(port: number, logFile: string): Promise<void> {
  const address = `http://127.0.0.1:${String(port)}/_localstack/health`;
  await waitUntil(
    () =>
      fetch(address).then(
        ({ ok }) => ok,
        () => false,
      ),
    {
      timeoutMs: startTimeoutMs,
      intervalMs: pollMs,
      what: `answer of LocalStack (log: ${logFile})`,
    },
  );
}
