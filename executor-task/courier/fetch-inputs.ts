import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClaimAnswer, RenewAnswer } from '../../schemas/executor-api.ts';
import { EXCHANGE, EXCHANGE_FOLDER_MODE } from '../exchange/exchange-folder.ts';
import {
  DownloadStatusError,
  downloadInput,
  InputChangedError,
  type InputSource,
} from './download-input.ts';

/** An input could not be had, which says nothing of its bytes: another try may. */
export class InputUnreachableError extends Error {
  override readonly name = 'InputUnreachableError';
}

export interface InputFetching {
  exchange: string;
  claim: ClaimAnswer;
  /** Signs the URLs anew. */
  renew: () => Promise<RenewAnswer>;
  /** One try of one input. */
  transferMilliseconds: number;
  signal: AbortSignal;
}

const tries = 4;
const firstPauseMilliseconds = 250;

/**
 * Fetches every input file of the assignment and verifies its bytes against the request (E51); gives the files by place
 * in `resolved_inputs`, relative to the exchange folder.
 * @throws InputChangedError, InputUnreachableError, RefusedError when the URLs are not signed anew
 */
export async function fetchInputs(fetching: InputFetching): Promise<Map<number, string>> {
  const { exchange, claim, signal } = fetching;
  await mkdir(join(exchange, EXCHANGE.inputs), { recursive: true, mode: EXCHANGE_FOLDER_MODE });
  const files = new Map<number, string>();
  let { inputs } = claim;
  const sign = async (): Promise<void> => {
    ({ inputs } = await fetching.renew());
  };
  for (const index of listPlaces(claim)) {
    const file = `${EXCHANGE.inputs}/${String(index).padStart(5, '0')}`;
    await fetchInput(
      fetching,
      { find: () => findSource(claim, inputs, index), sign },
      join(exchange, file),
    );
    signal.throwIfAborted();
    files.set(index, file);
  }
  return files;
}

function listPlaces({ assignment }: ClaimAnswer): Set<number> {
  const files = Object.values(assignment.inputs).flatMap((input) => input.files);
  return new Set(files.map(({ index }) => index));
}

/** Digest by the request, which is what the attempt is about, whatever the download says. */
function findSource(claim: ClaimAnswer, inputs: ClaimAnswer['inputs'], index: number): InputSource {
  const source = inputs.find((input) => input.index === index);
  const bound = claim.request.resolved_inputs[index];
  if (source === undefined || bound === undefined) {
    throw new InputChangedError(`resolved input ${String(index)} is not offered`);
  }
  if (source.sha256 !== bound.content_hash) {
    throw new InputChangedError(
      `input ${source.name} is offered with another digest than requested`,
    );
  }
  return source;
}

interface Offer {
  find: () => InputSource;
  sign: () => Promise<void>;
}

async function fetchInput(
  { signal, transferMilliseconds }: InputFetching,
  offer: Offer,
  path: string,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const source = offer.find();
    try {
      const limit = AbortSignal.timeout(transferMilliseconds);
      await downloadInput(source, path, AbortSignal.any([signal, limit]));
      return;
    } catch (error) {
      await rm(path, { force: true });
      signal.throwIfAborted();
      if (error instanceof InputChangedError) throw error;
      const status = error instanceof DownloadStatusError ? error.status : undefined;
      if (status === 404) throw new InputChangedError(`input ${source.name} is not there any more`);
      if (attempt === tries || isLocalFault(error)) {
        throw new InputUnreachableError(`input ${source.name} cannot be fetched`, { cause: error });
      }
      if (status === 403) await offer.sign();
      await pause(firstPauseMilliseconds * 2 ** (attempt - 1), undefined, { signal });
    }
  }
}

/** Repeating it would not make room. */
function isLocalFault(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return ['ENOSPC', 'EDQUOT', 'EACCES', 'EROFS', 'EEXIST'].includes(code);
}
