import { parseArgs } from 'node:util';
import {
  isBoard,
  isSha256,
  isTaskId,
  parseAttachmentId,
} from '../../schemas/parse-artifact-reference.ts';
import type { TaskAddress } from '../../schemas/task-address.ts';
import type { ConnectionOptions } from '../options/connection-options.ts';
import { adapterStatus } from '../adapter-status.ts';
import { AdapterFailure } from './adapter-failure.ts';

export interface DeclaredFile {
  name: string;
  mediaType: string;
  /** Bytes. */
  size: number;
  sha256: string;
}

export type Invocation =
  | { verb: 'artifact-upload'; of: TaskAddress; file: DeclaredFile }
  | { verb: 'artifact-list'; of: TaskAddress }
  | { verb: 'artifact-download'; of: TaskAddress; attachment: number }
  | { verb: 'help' };

const connectionFlags = {
  stack: { type: 'string' },
  'api-url': { type: 'string' },
  region: { type: 'string' },
  profile: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;
const verbFlags = {
  name: { type: 'string' },
  'media-type': { type: 'string' },
  size: { type: 'string' },
  sha256: { type: 'string' },
  json: { type: 'boolean' },
} as const;

type Values = ReturnType<typeof parseWords>['values'];

/**
 * The three invocations of the contract (A52 to A54), with what says where the API is before them, so that all of it
 * can stand in the configured command. @throws AdapterFailure
 */
export function parseInvocation(words: readonly string[]): {
  options: ConnectionOptions;
  invocation: Invocation;
} {
  const { values, positionals } = parseWords(words);
  const { stack, region, profile } = values;
  const options = { stack, apiUrl: values['api-url'], region, profile };
  if (stack !== undefined && (options.apiUrl ?? region) !== undefined) throw refuseWords();
  if (values.help === true) return { options, invocation: { verb: 'help' } };
  return { options, invocation: readVerb(positionals, values) };
}

function parseWords(words: readonly string[]) {
  try {
    const options = { ...connectionFlags, ...verbFlags };
    return parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw refuseWords(error);
  }
}

function readVerb(positionals: string[], values: Values): Invocation {
  const [verb, board = '', task = '', ...rest] = positionals;
  switch (verb) {
    case 'artifact-upload': {
      if (values.json !== true || rest.length > 0) throw refuseWords();
      const file = readFile(values);
      return { verb, of: readTask(board, task), file };
    }
    case 'artifact-list':
      if (values.json !== true || rest.length > 0 || hasFile(values)) throw refuseWords();
      return { verb, of: readTask(board, task) };
    case 'artifact-download': {
      if (values.json === true || rest.length !== 1 || hasFile(values)) throw refuseWords();
      const attachment = parseAttachmentId(rest[0] ?? '');
      if (attachment === undefined)
        throw new AdapterFailure(adapterStatus.absent, 'ATTACHMENT_UNKNOWN');
      return { verb, of: readTask(board, task), attachment };
    }
    case undefined:
    default:
      throw refuseWords();
  }
}

/** A name that no board or task can have is the name of none. */
function readTask(board: string, taskId: string): TaskAddress {
  if (board === '' || taskId === '') throw refuseWords();
  if (!isBoard(board)) throw new AdapterFailure(adapterStatus.absent, 'BOARD_UNKNOWN');
  if (!isTaskId(taskId)) throw new AdapterFailure(adapterStatus.absent, 'TASK_UNKNOWN');
  return { board, taskId };
}

function readFile(values: Values): DeclaredFile {
  const { name, size, sha256, 'media-type': mediaType } = values;
  if (name === undefined || mediaType === undefined) throw refuseWords();
  if (size === undefined || !/^(?:0|[1-9][0-9]{0,14})$/.test(size)) throw refuseWords();
  if (sha256 === undefined || !isSha256(sha256)) throw refuseWords();
  return { name, mediaType, size: Number(size), sha256 };
}

function hasFile(values: Values): boolean {
  return [values.name, values['media-type'], values.size, values.sha256].some(
    (value) => value !== undefined,
  );
}

function refuseWords(cause?: unknown): AdapterFailure {
  return new AdapterFailure(adapterStatus.usage, 'USAGE', cause);
}
