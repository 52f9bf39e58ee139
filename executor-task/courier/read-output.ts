import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { digestBytes } from '../../schemas/digest.ts';
import { AttemptFault } from './attempt-fault.ts';

/** An output is not what the supervisor measured when it collected it. */
export class OutputChangedError extends AttemptFault {
  override readonly name = 'OutputChangedError';
}

export interface ExpectedFile {
  name: string;
  /** Relative to the exchange folder. */
  file: string;
  sha256: string;
  maxBytes: number;
}

/**
 * The whole file, which has to have that digest. Never follows a link and never waits for a pipe.
 * @throws OutputChangedError
 */
export async function readOutput(exchange: string, expected: ExpectedFile): Promise<Buffer> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const { name } = expected;
  const file = await open(join(exchange, expected.file), O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(
    (error: unknown) => {
      throw new OutputChangedError(`output ${name} is gone or no regular file`, { cause: error });
    },
  );
  try {
    const facts = await file.stat();
    if (!facts.isFile()) throw new OutputChangedError(`output ${name} is no regular file`);
    if (facts.size > expected.maxBytes) {
      throw new OutputChangedError(`output ${name} is larger than may be taken`);
    }
    const bytes = await file.readFile();
    if (digestBytes(bytes) !== expected.sha256) {
      throw new OutputChangedError(`output ${name} changed after it was collected`);
    }
    return bytes;
  } finally {
    await file.close();
  }
}
