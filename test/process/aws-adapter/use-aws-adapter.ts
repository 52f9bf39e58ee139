import { describeStandIn } from '../../support/stand-in-api/run-windlass.ts';
import { useStandInApi } from '../../support/stand-in-api/use-stand-in-api.ts';
import {
  composeUpload,
  startAwsAdapter,
  type AdapterRecord,
  type UploadWords,
} from '../../support/aws-adapter/start-aws-adapter.ts';

export const task = ['demo', 't_brief'] as const;

/** A fresh stand-in of the API for each test, with the real adapter pointed at it. */
export function useAwsAdapter() {
  const standIn = useStandInApi();
  const describe = (env: Record<string, string> = {}) => ({
    ...describeStandIn(standIn.api),
    AWS_EC2_METADATA_DISABLED: 'true',
    WINDLASS_STATE_FOLDER: '/nonexistent',
    // What is spooled lies in a folder that a test can look into.
    TMPDIR: standIn.folder,
    ...env,
  });
  const start = (words: string[], input?: Uint8Array, env?: Record<string, string>) =>
    startAwsAdapter(words, { input, env: describe(env) });
  const run = (
    words: string[],
    input: Uint8Array = Buffer.alloc(0),
    env?: Record<string, string>,
  ) => start(words, input, env).ended;
  return {
    get api() {
      return standIn.api;
    },
    get folder() {
      return standIn.folder;
    },
    start,
    run,
    upload: (file: UploadWords, env?: Record<string, string>) =>
      run(composeUpload(...task, file), file.bytes, env),
    async attach(file: UploadWords): Promise<AdapterRecord> {
      const ran = await run(composeUpload(...task, file), file.bytes);
      if (ran.code !== 0) throw new Error(`${String(ran.code)}: ${ran.stderr}`);
      return JSON.parse(ran.stdout.toString()) as AdapterRecord;
    },
    async list(): Promise<AdapterRecord[]> {
      const ran = await run(['artifact-list', ...task, '--json']);
      return JSON.parse(ran.stdout.toString()) as AdapterRecord[];
    },
  };
}
