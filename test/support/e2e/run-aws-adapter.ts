import { windlassFolder } from '../../local/repository-paths.ts';
import {
  composeUpload,
  startAwsAdapter,
  type AdapterRan,
  type AdapterRecord,
  type UploadWords,
} from '../aws-adapter/start-aws-adapter.ts';
import type { EmulatorCredentials } from '../use-emulator.ts';
import type { E2eStack } from './use-stack.ts';

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
  { input = Buffer.alloc(0), as, env }: AdapterCall = {},
): Promise<AdapterRan> {
  const target = describeAdapterTarget(stack, as);
  return startAwsAdapter(words, { input, env: { ...target, ...env } }).ended;
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
