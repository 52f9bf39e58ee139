import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const intervalMs = 500;
/** Far below the limit of the emulator's private paths. */
const chunkBytes = 256 * 1024;

export interface LogForwarding {
  file: string;
  /** Settles when the container has ended; the rest of its output is sent then. */
  ended: Promise<unknown>;
  send: (lines: string[]) => Promise<void>;
}

/** Sends a growing log file line by line, as the awslogs driver does. Settles after the last line. */
export async function forwardLog({ file, ended, send }: LogForwarding): Promise<void> {
  const container = { isOver: false };
  const markOver = () => {
    container.isOver = true;
  };
  const over = ended.then(markOver, markOver);
  const log = await open(file, 'r');
  const buffer = Buffer.alloc(chunkBytes);
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const isLastRound = container.isOver;
      const { bytesRead } = await log.read(buffer, 0, chunkBytes);
      const lines = (rest + decoder.decode(buffer.subarray(0, bytesRead), { stream: true })).split(
        '\n',
      );
      rest = lines.pop() ?? '';
      if (lines.length > 0) await send(lines);
      if (bytesRead === chunkBytes) continue;
      if (isLastRound) break;
      await Promise.race([over, delay(intervalMs)]);
    }
    if (rest !== '') await send([rest]);
  } finally {
    await log.close();
  }
}
