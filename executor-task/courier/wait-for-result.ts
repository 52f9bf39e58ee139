import { lstat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { EXCHANGE, EXCHANGE_FILE_MODE, readMessage } from '../exchange/exchange-folder.ts';
import { progress } from '../exchange/progress.ts';
import { result, type Result } from '../exchange/result.ts';
import { AttemptFault } from './attempt-fault.ts';

/** The workbench's result is not one, or not of this attempt. */
export class ResultRefusedError extends AttemptFault {
  override readonly name = 'ResultRefusedError';
}

const lookMilliseconds = 50;
const resultBytes = 4 * 1024 * 1024;

export interface ResultWait {
  attemptId: string;
  stopped: AbortSignal;
  /** From now on; then the workbench is told to stop. */
  workMilliseconds: number;
  silentMilliseconds: number;
  stopMilliseconds: number;
}

export interface Waited {
  /** Undefined when the workbench died, hung, or did not stop in time. */
  result: Result | undefined;
  /** It was told to stop because its time was over. */
  isLate: boolean;
}

/** Waits for the result, and orders the stop when it is time. @throws ResultRefusedError */
export async function waitForResult(exchange: string, wait: ResultWait): Promise<Waited> {
  const startedAt = performance.now();
  let stopOrderedAt: number | undefined;
  let isLate = false;
  let sign: { at: string | undefined; seenAt: number } = { at: undefined, seenAt: startedAt };
  for (;;) {
    const found = await readResult(exchange, wait.attemptId);
    if (found !== undefined) return { result: found, isLate };
    const now = performance.now();
    if (stopOrderedAt === undefined) {
      isLate = !wait.stopped.aborted && now - startedAt > wait.workMilliseconds;
      if (isLate || wait.stopped.aborted) {
        await writeFile(join(exchange, EXCHANGE.stop), '', { mode: EXCHANGE_FILE_MODE });
        stopOrderedAt = now;
      }
    } else if (now - stopOrderedAt > wait.stopMilliseconds) return { result: undefined, isLate };
    const at = await readSign(exchange);
    // Whether it changes counts, and not what it says: the wall clock may be set meanwhile.
    if (at !== sign.at) sign = { at, seenAt: now };
    if (now - sign.seenAt > wait.silentMilliseconds) return { result: undefined, isLate };
    await pause(lookMilliseconds);
  }
}

async function readResult(exchange: string, attemptId: string): Promise<Result | undefined> {
  const facts = await lstat(join(exchange, EXCHANGE.result)).catch(() => undefined);
  if (facts === undefined) return undefined;
  if (!facts.isFile() || facts.size > resultBytes) {
    throw new ResultRefusedError('the result of the workbench is no file, or too large');
  }
  const read = await readMessage(exchange, EXCHANGE.result, result).catch((error: unknown) => {
    throw new ResultRefusedError('the result of the workbench is malformed', { cause: error });
  });
  if (read !== undefined && read.attempt_id !== null && read.attempt_id !== attemptId) {
    throw new ResultRefusedError('the result of the workbench is of another attempt');
  }
  return read;
}

async function readSign(exchange: string): Promise<string | undefined> {
  const beat = await readMessage(exchange, EXCHANGE.progress, progress).catch(() => undefined);
  return beat?.at;
}
