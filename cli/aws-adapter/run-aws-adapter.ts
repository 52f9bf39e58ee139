import type { Readable, Writable } from 'node:stream';
import { connect, type Connection } from '../api/connect.ts';
import { adapterStatus, type AdapterStatus } from '../adapter-status.ts';
import { classifyFailure } from './adapter-failure.ts';
import { downloadAttachment } from './download-attachment.ts';
import { listRecords } from './list-records.ts';
import { parseInvocation, type Invocation } from './parse-invocation.ts';
import { renderRecord } from './render-record.ts';
import { spoolInput } from './spool-input.ts';
import { chooseUploadKey, uploadAttachment } from './upload-attachment.ts';
import { writeOut } from './write-out.ts';

export interface AdapterStreams {
  input: Readable;
  output: Writable;
  errors: Writable;
}

const usage = `windlass-aws: attachments of a Windlass deployment, for: windlass artifact --worker-runtime windlass-aws

  windlass-aws [WHERE] artifact-upload BOARD TASK --name N --media-type M --size S --sha256 H --json
  windlass-aws [WHERE] artifact-list BOARD TASK --json
  windlass-aws [WHERE] artifact-download BOARD TASK ATTACHMENT_ID

WHERE: --stack NAME, or --api-url URL [--region REGION] [--profile PROFILE]; else as windlass itself finds it.
WINDLASS_UPLOAD_KEY: uploads under the same key are one upload, however often the command is run.
Exit status: 0 done, 3 no such task or attachment, 4 above 25 MiB, 5 size or SHA-256 differ, 2 usage, 1 anything else.
`;

/** Constant texts, as nothing of a request or an answer may be told (A60). */
const hints: Record<string, string> = {
  UNREACHABLE:
    'no answer; start the stack with `windlass local up`, or name another by WINDLASS_STACK or WINDLASS_API_URL',
  USAGE: 'run `windlass-aws --help`',
};

/** Serves one invocation of the adapter contract (A52 to A60); gives its exit status. */
export async function runAwsAdapter(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  streams: AdapterStreams,
): Promise<AdapterStatus> {
  // A reader that went away shows in the write that fails; without a listener it would end the process by a trace.
  streams.output.on('error', () => undefined);
  try {
    const { options, invocation } = parseInvocation(words);
    await serve(invocation, { env, streams, connect: () => connect(options, env) });
    return adapterStatus.done;
  } catch (error) {
    const failure = classifyFailure(error);
    const hint = hints[failure.code];
    streams.errors.write(`windlass-aws: ${failure.code}${hint === undefined ? '' : `: ${hint}`}\n`);
    return failure.status;
  } finally {
    streams.input.destroy();
  }
}

interface Call {
  env: NodeJS.ProcessEnv;
  streams: AdapterStreams;
  connect: () => Promise<Connection>;
}

async function serve(invocation: Invocation, { env, streams, connect }: Call): Promise<void> {
  switch (invocation.verb) {
    case 'help':
      return writeOut(streams.output, usage);
    case 'artifact-upload': {
      const key = chooseUploadKey(env);
      const spool = await spoolInput(streams.input, invocation.file);
      try {
        const { of, file } = invocation;
        const attached = await uploadAttachment(await connect(), { of, file, key }, spool);
        await writeOut(streams.output, `${JSON.stringify(renderRecord(attached))}\n`);
      } finally {
        await spool.close();
      }
      return;
    }
    case 'artifact-list': {
      const records = await listRecords(await connect(), invocation.of);
      return writeOut(streams.output, `${JSON.stringify(records)}\n`);
    }
    case 'artifact-download': {
      const { of, attachment } = invocation;
      return downloadAttachment(await connect(), { ...of, attachment }, streams.output);
    }
  }
}
