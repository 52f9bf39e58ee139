import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { AttachmentRecord } from '../../../cli/artifact/records/attachment-record.ts';
import { digestBytes } from '../../../schemas/digest.ts';

export const awsAdapter = fileURLToPath(
  new URL('../../../cli/bin/windlass-aws.mjs', import.meta.url),
);

export interface AdapterRan {
  code: number | null;
  stdout: Buffer;
  stderr: string;
}

export interface AdapterProcess {
  /** Sent and closed; undefined leaves the input open. */
  input?: Uint8Array | undefined;
  env: Record<string, string>;
}

/** Starts the real `windlass-aws` without anything of this process's environment but the path. */
export function startAwsAdapter(
  words: string[],
  { input, env }: AdapterProcess,
): { child: ChildProcess; ended: Promise<AdapterRan> } {
  const child = spawn(process.execPath, [awsAdapter, ...words], {
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const out: Buffer[] = [];
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  // An adapter that has seen enough stops reading.
  child.stdin.on('error', () => undefined);
  if (input !== undefined) child.stdin.end(input);
  const ended = once(child, 'close').then(([code]) => ({
    code: code as number | null,
    stdout: Buffer.concat(out),
    stderr,
  }));
  return { child, ended };
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

export type AdapterRecord = Omit<AttachmentRecord, 'stored_path'>;
