import type { TaskAddress } from '../../schemas/task-address.ts';
import { adapterStatus } from '../adapter-status.ts';
import { limits } from '../../schemas/limits.ts';
import { listingBytes } from '../artifact/adapter/adapter-transport.ts';
import { startDeadline } from '../artifact/adapter/deadline.ts';
import { runAdapter } from '../artifact/adapter/run-adapter.ts';
import { ArtifactFailure } from '../artifact/artifact-failure.ts';
import type { AttachmentRecord } from '../artifact/records/attachment-record.ts';
import { parseListing, parseUploadAnswer } from '../artifact/records/parse-records.ts';
import { ContractBreach } from './conformance-check.ts';
import { expectStatus, type AdapterAnswer } from './adapter-answer.ts';
import { hashBytes, sendBytes, type ProbeFile } from './probe-file.ts';
import { SecretWatch } from './secret-watch.ts';

export interface ProbeSettings extends TaskAddress {
  /** The configured prefix, and its words. */
  runtime: string;
  runtimeWords: readonly string[];
  /** Another task of the board that exists. */
  otherTaskId: string | undefined;
  /** Of one invocation. */
  timeoutSeconds: number;
  signal: AbortSignal;
  /** Part of every name that a check stores, so that two checks do not meet. */
  tag: string;
  env: NodeJS.ProcessEnv;
}

/** Calls the adapter as the command does, and without the checks with which the command would refuse first. */
export class AdapterProbe {
  readonly settings: ProbeSettings;
  readonly secrets: SecretWatch;

  constructor(settings: ProbeSettings) {
    this.settings = settings;
    this.secrets = new SecretWatch(settings.env);
  }

  get scope(): TaskAddress {
    return { board: this.settings.board, taskId: this.settings.taskId };
  }

  /** A file of these bytes, truthfully declared. */
  makeFile(label: string, bytes: Buffer, mediaType = 'application/octet-stream'): ProbeFile {
    const name = `windlass-check-${this.settings.tag}-${label}`;
    return { name, mediaType, size: bytes.length, sha256: hashBytes(bytes), bytes };
  }

  async upload(file: ProbeFile, source = sendBytes(file.bytes)): Promise<AdapterAnswer> {
    const { board, taskId } = this.scope;
    const named = ['--name', file.name, '--media-type', file.mediaType];
    const sized = ['--size', String(file.size), '--sha256', file.sha256, '--json'];
    return await this.#invoke(['artifact-upload', board, taskId, ...named, ...sized], source);
  }

  async list(scope = this.scope): Promise<AdapterAnswer> {
    return await this.#invoke(['artifact-list', scope.board, scope.taskId, '--json']);
  }

  async download(id: number, scope = this.scope): Promise<AdapterAnswer> {
    return await this.#invoke(['artifact-download', scope.board, scope.taskId, String(id)]);
  }

  /** Stores a file that must be taken, and gives the record that tells of it. */
  async attach(file: ProbeFile): Promise<AttachmentRecord> {
    const ran = await this.upload(file);
    expectStatus(ran, [adapterStatus.done], 'an upload');
    const record = readContract('an upload', () => parseUploadAnswer(ran.output, this.scope));
    if (record.size !== file.size || record.sha256 !== file.sha256)
      throw new ContractBreach('an upload is answered with another size or SHA-256 than was sent');
    return record;
  }

  async listRecords(scope = this.scope): Promise<AttachmentRecord[]> {
    const ran = await this.list(scope);
    expectStatus(ran, [adapterStatus.done], 'a listing');
    return readContract('a listing', () => parseListing(ran.output, scope));
  }

  async fetch(id: number): Promise<Buffer> {
    const ran = await this.download(id);
    expectStatus(ran, [adapterStatus.done], 'a download');
    return ran.output;
  }

  async expectNothingStored(file: ProbeFile, after: string): Promise<void> {
    const records = await this.listRecords();
    if (records.some((record) => record.filename === file.name))
      throw new ContractBreach(`${after}, and the file is listed all the same`);
  }

  async #invoke(words: string[], input?: AsyncIterable<Uint8Array>): Promise<AdapterAnswer> {
    const chunks: Buffer[] = [];
    const { runtimeWords, timeoutSeconds, signal, env } = this.settings;
    const isDownload = words[0] === 'artifact-download';
    const end = await runAdapter({
      words: [...runtimeWords, ...words],
      output: (chunk) => void chunks.push(chunk),
      maxOutputBytes: isDownload ? limits.attachmentBytes : listingBytes,
      deadline: startDeadline(timeoutSeconds),
      signal,
      env,
      ...(input && { input }),
    });
    signal.throwIfAborted();
    const output = Buffer.concat(chunks);
    this.secrets.watch(output);
    return { end, output };
  }
}

/** Names the code with which the command would meet this answer; what the adapter said stays unsaid. */
function readContract<T>(what: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof ArtifactFailure)) throw error;
    throw new ContractBreach(`the command would refuse the answer to ${what} with ${error.code}`, {
      cause: error,
    });
  }
}
