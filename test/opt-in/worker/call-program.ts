import { execa } from 'execa';

export interface Called {
  status: number | undefined;
  stdout: Buffer;
  stderr: string;
}

const callMs = 180_000;

/** Runs a program to its end and answers its status, whatever it is; bytes stay bytes. */
export async function callProgram(
  [program = '', ...args]: readonly string[],
  environment: Record<string, string>,
  input: Buffer = Buffer.alloc(0),
): Promise<Called> {
  const ran = await execa(program, args, {
    env: environment,
    input,
    encoding: 'buffer',
    reject: false,
    // The last byte of a document may be one.
    stripFinalNewline: false,
    timeout: callMs,
  });
  return {
    status: ran.exitCode,
    stdout: Buffer.from(ran.stdout),
    stderr: Buffer.from(ran.stderr).toString('utf8'),
  };
}

/** As `callProgram`, for what has to succeed. */
export async function callOrFail(
  words: readonly string[],
  environment: Record<string, string>,
): Promise<Buffer> {
  const called = await callProgram(words, environment);
  if (called.status === 0) return called.stdout;
  const status = String(called.status);
  throw new Error(`${words.join(' ')} ended with ${status}: ${called.stderr.trim()}`);
}
