import { readFile } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { text as readStream } from 'node:stream/consumers';
import { limits } from '../../schemas/limits.ts';
import { parsePlanText } from '../../schemas/parse-plan-text.ts';
import { refuse, refuseUsage } from '../command-failure.ts';
import { refusePlan } from '../plan/refuse-plan.ts';
import { describeInputFault } from './open-input.ts';
import { formatBytes } from '../output/format-bytes.ts';

interface PlanFile {
  /** As it was written: this is what is sent. */
  text: string;
  document: unknown;
}

/** A plan in YAML or JSON from a file, or from standard input for `-`. Refuses what is no YAML, with line and column. */
export async function readPlan(file: string, signal: AbortSignal): Promise<PlanFile> {
  const text = await readWhole(file, signal).catch((error: unknown) => {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown fault';
    const { what } = describeInputFault({ input: 'plan', path: file }, code);
    throw refuseUsage(
      `plan ${file}: ${what}`,
      'name a file in YAML or JSON, or - for standard input',
    );
  });
  if (Buffer.byteLength(text) > limits.planBodyBytes) {
    throw refuse(
      'PLAN_REFUSED',
      `plan ${file}: longer than ${formatBytes(limits.planBodyBytes)}`,
      'put it into inbox/BOARD/ of the bucket, which takes larger plans',
    );
  }
  const parsed = parsePlanText(text);
  if (parsed.kind === 'REFUSED') throw refusePlan(file, parsed.faults);
  return { text, document: parsed.document };
}

async function readWhole(file: string, signal: AbortSignal): Promise<string> {
  return file === '-'
    ? await readStream(addAbortSignal(signal, process.stdin))
    : await readFile(file, { encoding: 'utf8', signal });
}

/** Names of the inputs that the plan declares as lists; empty when the plan says nothing readable about them. */
export function findListInputs(document: unknown): ReadonlySet<string> {
  const inputs = readField(document, 'inputs');
  if (typeof inputs !== 'object' || inputs === null) return new Set();
  return new Set(
    Object.entries(inputs)
      .filter(([, input]) => readField(input, 'kind') === 'files')
      .map(([name]) => name),
  );
}

function readField(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
