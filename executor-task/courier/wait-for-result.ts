import { setTimeout as pause } from 'node:timers/promises';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EXCHANGE, readMessage } from '../exchange/exchange-folder.ts';
import { progress } from '../exchange/progress.ts';
import { result, type Result } from '../exchange/result.ts';

const lookMilliseconds = 50;
/** A supervisor that has not beaten for this long is dead. */
const silentMilliseconds = 30_000;
/** From the order to stop to the moment at which no result is expected any more. */
const stopMilliseconds = 15_000;

/** The workbench's result; undefined when it died, hung, or did not stop in time. */
export async function waitForResult(
  exchange: string,
  attempt: { stopped: AbortSignal; until: number },
): Promise<Result | undefined> {
  const startedAt = Date.now();
  let stopOrderedAt: number | undefined;
  for (;;) {
    const found = await readMessage(exchange, EXCHANGE.result, result);
    if (found !== undefined) return found;
    const now = Date.now();
    if (stopOrderedAt === undefined && (attempt.stopped.aborted || now > attempt.until)) {
      await writeFile(join(exchange, EXCHANGE.stop), '', { mode: 0o600 });
      stopOrderedAt = now;
    }
    if (stopOrderedAt !== undefined && now - stopOrderedAt > stopMilliseconds) return undefined;
    const beat = await readMessage(exchange, EXCHANGE.progress, progress).catch(() => undefined);
    const lastSign = beat === undefined ? startedAt : Math.max(startedAt, Date.parse(beat.at));
    if (now - lastSign > silentMilliseconds) return undefined;
    await pause(lookMilliseconds);
  }
}
