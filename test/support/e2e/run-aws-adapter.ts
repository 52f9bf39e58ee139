import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { digestBytes } from '../../../schemas/digest.ts';
import { windlassFolder } from '../../local/repository-paths.ts';
import type { EmulatorCredentials } from '../use-emulator.ts';
import type { E2eStack } from './use-stack.ts';

export const awsAdapter = fileURLToPath(
  new URL('../../../cli/bin/windlass-aws.mjs', import.meta.url),
);

export interface AdapterRan {
  code: number | null;
  stdout: Buffer;
  stderr: string;
}

export interface AdapterCall {
  input?: Uint8Array;
  /** Root of the stack unless given. */
  as?: EmulatorCredentials;
  env?: Record<string, string>;
}

/** The variables that make an adapter talk to this stack, as somebody. */
export function describeAdapterTarget(
  stack: E2eStack,
  as?: EmulatorCredentials,
): Record<string, string> {
  return {
    WINDLASS_STACK: stack.state.name,
    WINDLASS_STATE_FOLDER: windlassFolder,
    ...(as !== undefined && {
      WINDLASS_LOCAL_ACCESS_KEY_ID: as.accessKeyId,
      WINDLASS_LOCAL_SECRET_ACCESS_KEY: as.secretAccessKey,
      WINDLASS_LOCAL_SESSION_TOKEN: as.sessionToken ?? '',
    }),
  };
}

/** Runs the real `windlass-aws` with these words, against this stack unless the variables say otherwise. */
export async function runAwsAdapter(
  stack: E2eStack,
  words: string[],
  call: AdapterCall = {},
): Promise<AdapterRan> {
  const child = spawn(process.execPath, [awsAdapter, ...words], {
    env: {
      PATH: process.env['PATH'],
      HOME: '/nonexistent',
      ...describeAdapterTarget(stack, call.as),
      ...call.env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const out: Buffer[] = [];
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  // An adapter that has seen enough stops reading.
  child.stdin.on('error', () => undefined);
  child.stdin.end(call.input ?? '');
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout: Buffer.concat(out), stderr };
}

export interface UploadWords {
  name: string;
  mediaType?: string;
  bytes: Uint8Array;
  /** What is declared, where it is not so. */
  size?: number;
  sha256?: string;
}

export function composeUpload(board: string, task: string, file: UploadWords): string[] {
  const { name, mediaType = 'text/plain', bytes } = file;
  return [
    ...['artifact-upload', board, task, '--name', name, '--media-type', mediaType],
    ...['--size', String(file.size ?? bytes.byteLength)],
    ...['--sha256', file.sha256 ?? digestBytes(bytes), '--json'],
  ];
}

export interface AdapterRecord {
  id: number;
  task_id: string;
  filename: string;
  content_type: string;
  size: number;
  sha256: string;
  uploaded_by: string;
  created_at: number;
}

/** Attaches bytes and gives the record. @throws Error when the adapter does not end with 0 */
export async function attach(
  stack: E2eStack,
  of: { board: string; task: string },
  file: UploadWords,
  call: AdapterCall = {},
): Promise<AdapterRecord> {
  const words = composeUpload(of.board, of.task, file);
  const ran = await runAwsAdapter(stack, words, { input: file.bytes, ...call });
  if (ran.code !== 0) throw new Error(`${String(ran.code)}: ${ran.stderr}`);
  return JSON.parse(ran.stdout.toString()) as AdapterRecord;
}
