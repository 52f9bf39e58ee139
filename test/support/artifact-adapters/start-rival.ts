import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('./programs/rival.mjs', import.meta.url));

/** Either the rival's file is there, or it tells the hash of what was there first. */
export type ClaimAnswer = { won: true } | { won: false; found: string };

export interface ReadAnswer {
  reads: number;
  /** Times by SHA-256; `nothing` where no file was there. */
  found: Record<string, number>;
}

export interface Rival {
  claim: (file: string, afterMilliseconds: number, text: string) => Promise<ClaimAnswer>;
  /** Claims in the same moment in which a sign appears. */
  claimWhen: (file: string, sign: string, text: string) => Promise<ClaimAnswer>;
  /** Reads a file over and over until another appears, and then once more. Returns after the first time. */
  read: (file: string, until: string) => Promise<{ ended: Promise<ReadAnswer> }>;
  stop: () => void;
}

/** A real second process, ready when this returns: only what it does races, not its start. */
export async function startRival(): Promise<Rival> {
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const hear = async (): Promise<unknown> => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error('the rival has ended');
    return JSON.parse(value) as unknown;
  };
  const order = async (words: object): Promise<unknown> => {
    child.stdin.write(`${JSON.stringify(words)}\n`);
    return hear();
  };
  await hear();
  return {
    claim: async (file, afterMilliseconds, text) =>
      (await order({ claim: file, afterMilliseconds, text })) as ClaimAnswer,
    claimWhen: async (file, when, text) =>
      (await order({ claim: file, when, text })) as ClaimAnswer,
    read: async (file, until) => {
      await order({ read: file, until });
      return { ended: hear() as Promise<ReadAnswer> };
    },
    stop: () => {
      child.kill('SIGKILL');
    },
  };
}
