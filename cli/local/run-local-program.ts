import { execa } from 'execa';
import { z } from 'zod';
import { CommandFailure, reportUnreachable } from '../command-failure.ts';
import { endingSignals, exitCodes, signalExitCodes } from '../exit-codes.ts';
import { cleanText } from '../output/clean-text.ts';
import { formatDuration } from '../output/format-values.ts';
import type { Progress } from '../output/progress.ts';

export type LocalVerb = 'up' | 'deploy' | 'down' | 'status' | 'env';

const lookAround = 'run `windlass doctor` to see what is missing on this machine';
/** A stack that is down is the usual reason for those that need one. */
const startIt = 'start it with `windlass local up`; `windlass local status` says what there is';
const adviceOf: Record<LocalVerb, string> = {
  up: lookAround,
  deploy: startIt,
  down: lookAround,
  status: lookAround,
  env: startIt,
};

const programLine = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('progress'),
    step: z.string(),
    status: z.enum(['started', 'done', 'failed']),
    /** Wall time of the step, once it has ended. */
    seconds: z.number().optional(),
  }),
  z.looseObject({ type: z.literal('result') }),
  z.looseObject({ type: z.literal('error'), message: z.string() }),
]);
type ProgramLine = z.infer<typeof programLine>;

interface RunLocalProgram {
  /** Path of the program; it prints one JSON document a line: progress, and a result or an error last. */
  program: string;
  verb: LocalVerb;
  name: string;
  progress: Progress;
  /** Gets every line that is none of these. */
  note: (text: string) => void;
}

/** Runs the program that keeps local stacks, shows its steps, and gives its result. */
export async function runLocalProgram(run: RunLocalProgram): Promise<unknown> {
  const child = execa(process.execPath, [run.program, run.verb, '--name', run.name, '--json'], {
    stdin: 'ignore',
    stderr: 'inherit',
    reject: false,
    buffer: false,
    // A signal is passed on and waited for, so that the program can tidy up.
    cleanup: false,
  });
  const passOn = (signal: NodeJS.Signals) => void child.kill(signal);
  for (const signal of endingSignals) process.on(signal, passOn);
  const running = new Set<string>();
  let result: unknown;
  let failed: string | undefined;
  try {
    for await (const text of child) {
      const line = readLine(text);
      if (line === undefined) run.note(cleanText(text));
      else if (line.type === 'progress') showStep(line, running, run.progress);
      else if (line.type === 'error') failed = cleanText(line.message);
      else result = leaveOutType(line);
    }
    const ended = await child;
    if (ended.exitCode === 0 && result !== undefined) return result;
    throw explainEnd(run, ended, failed);
  } finally {
    run.progress.stop();
    for (const signal of endingSignals) process.off(signal, passOn);
  }
}

function readLine(text: string): ProgramLine | undefined {
  try {
    return programLine.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function leaveOutType(line: ProgramLine): Record<string, unknown> {
  return Object.fromEntries(Object.entries(line).filter(([name]) => name !== 'type'));
}

/** Steps run side by side: when one ends, the line goes on about the others. */
function showStep(
  line: Extract<ProgramLine, { type: 'progress' }>,
  running: Set<string>,
  progress: Progress,
): void {
  const took = line.seconds === undefined ? '' : ` (${formatDuration(line.seconds * 1000)})`;
  const step = cleanText(line.step);
  switch (line.status) {
    case 'started':
      running.add(step);
      progress.start(step);
      break;
    case 'done':
      running.delete(step);
      progress.finish(`${step}${took}`);
      break;
    case 'failed':
      running.delete(step);
      progress.fail(`${step}${took}`);
      break;
  }
  if (running.size > 0) progress.update([...running].join(', '));
}

function explainEnd(
  run: RunLocalProgram,
  ended: { exitCode?: number | undefined; signal?: string | undefined },
  failed: string | undefined,
): CommandFailure {
  const stoppedBy = endingSignals.find(
    (signal) => ended.signal === signal || ended.exitCode === signalExitCodes[signal],
  );
  if (stoppedBy !== undefined) {
    return new CommandFailure({
      exit: signalExitCodes[stoppedBy],
      code: 'INTERRUPTED',
      message: `interrupted; run \`windlass local down --name ${run.name}\` to be sure that nothing stays`,
    });
  }
  if (ended.exitCode === undefined && ended.signal === undefined) {
    return reportUnreachable('the local stack program does not start', 'run `npm ci`');
  }
  const why = failed ?? `it ended with ${ended.signal ?? `status ${String(ended.exitCode)}`}`;
  return new CommandFailure({
    exit: exitCodes.refused,
    code: 'LOCAL_FAILED',
    message: `local ${run.verb} failed: ${why}`,
    fix: adviceOf[run.verb],
  });
}
