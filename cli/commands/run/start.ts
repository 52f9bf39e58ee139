import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { connect, type Connection } from '../../api/connect.ts';
import type { StartRunAnswer } from '../../api/windlass-api.ts';
import { refuseUsage } from '../../command-failure.ts';
import { checkBeforeUpload } from '../../inputs/check-before-upload.ts';
import { findListInputs, readPlan } from '../../inputs/read-plan.ts';
import { uploadInputs, type UploadInputs } from '../../inputs/upload-inputs.ts';
import { withInterruption } from '../../interruption.ts';
import {
  addBoardOptions,
  repeatFlags,
  type BoardOptions,
} from '../../options/connection-options.ts';
import {
  addInputOptions,
  findNamedInputs,
  type InputOptions,
} from '../../options/input-options.ts';
import { chooseBoard } from '../../options/read-arguments.ts';
import { countWords } from '../../output/format-values.ts';
import { createOutput, type Output } from '../../output/output.ts';
import { createProgress } from '../../output/progress.ts';
import { idempotencyKey, type RunInputs } from '../../../schemas/public-api.ts';
import { concludeWatch, watchRun } from '../../watch/watch-run.ts';

interface StartOptions extends BoardOptions, InputOptions {
  idempotencyKey?: string;
  watch?: boolean;
}

const examples = `
Examples:
  $ windlass run start plan.yaml --board demo
  $ windlass run start plan.yaml --board demo --input brief=brief.docx --watch
  $ windlass run start plan.yaml --board demo --input 'documents=papers/*'
  $ windlass run start plan.yaml --board demo --input brief=kanban-artifact:v1:demo:t_0123abcd:41:SHA256
  $ windlass run start plan.yaml --board demo --idempotency-key nightly-2026-03-01

An input that the plan declares as "files" takes several: repeat --input NAME=…, or quote a pattern.
Without --idempotency-key each call starts a new run; with one, the same call finds the same run.
For a plan that is refused no file is stored.`;

export function defineCommand(command: Command): void {
  command.argument('<plan>', 'plan in YAML or JSON; - reads standard input');
  addBoardOptions(
    addInputOptions(command)
      .option('--idempotency-key <key>', 'the same key and plan start one run, however often')
      .option('-w, --watch', 'watch the run until it ends'),
  )
    .addHelpText('after', examples)
    .action(startRun);
}

async function startRun(plan: string, options: StartOptions): Promise<void> {
  const output = createOutput(options);
  const board = chooseBoard(options.board, process.env);
  const key = readKey(options.idempotencyKey);
  let started: StartRunAnswer | undefined;
  await withInterruption(
    () =>
      started === undefined
        ? `if a run was started all the same, this command with --idempotency-key ${key} finds it; if none was, it starts it`
        : `the run goes on; watch it with: windlass run watch ${started.run_id} ${repeatFlags(options, board)}`,
    async (signal) => {
      const connection = await connect(options, process.env, signal);
      started = await sendStart({ connection, board, plan, options, key, signal });
      if (options.watch !== true) {
        tell(output, started, options, key);
        return;
      }
      if (output.json) output.writeJsonLine({ started });
      else output.note(describeStart(started));
      const { api } = connection;
      const ended = await watchRun({ api, board, run: started.run_id, output, signal });
      concludeWatch(ended, repeatFlags(options, board), output);
    },
  );
}

interface SendStart {
  connection: Connection;
  board: string;
  plan: string;
  options: StartOptions;
  key: string;
  signal: AbortSignal;
}

async function sendStart(start: SendStart): Promise<StartRunAnswer> {
  const { connection, board, options, signal } = start;
  const plan = await readPlan(start.plan, signal);
  const found = await findNamedInputs(options);
  const upload: UploadInputs = {
    connection,
    board,
    found,
    lists: findListInputs(plan.document),
    signal,
  };
  const isKeyGiven = options.idempotencyKey !== undefined;
  const stored = await checkBeforeUpload(upload, { planText: plan.text, isKeyGiven });
  const inputs = stored ?? (await uploadWithProgress(upload, options.json === true));
  const body = { plan: plan.text, ...(found.length > 0 && { inputs }) };
  return await connection.api.startRun(board, body, start.key);
}

async function uploadWithProgress(upload: UploadInputs, quiet: boolean): Promise<RunInputs> {
  const progress = createProgress({ quiet });
  const files = upload.found.filter(({ kind }) => kind === 'FILE');
  const total = countWords(files.length, 'file');
  const onStored = (done: number) => {
    progress.update(`storing ${total}: ${String(done)} done`);
  };
  try {
    if (files.length > 0) progress.start(`storing ${total}`);
    const inputs = await uploadInputs(upload, onStored);
    if (files.length > 0) progress.finish(`stored ${total}`);
    return inputs;
  } finally {
    progress.stop();
  }
}

function readKey(given: string | undefined): string {
  // One key an invocation: a try that is repeated because its answer got lost finds its own run.
  if (given === undefined) return `cli-${randomUUID()}`;
  if (idempotencyKey.safeParse(given).success) return given;
  throw refuseUsage('--idempotency-key: must be 1 to 200 printable ASCII characters, no spaces');
}

function tell(output: Output, started: StartRunAnswer, options: StartOptions, key: string): void {
  if (output.json) {
    output.writeJson({ ...started, idempotency_key: key });
    return;
  }
  output.write(started.run_id);
  output.note(describeStart(started));
  const flags = repeatFlags(options, started.board);
  output.note(`watch it with: windlass run watch ${started.run_id} ${flags}`);
}

function describeStart(started: StartRunAnswer): string {
  const nodes = countWords(started.nodes, 'node');
  return started.replayed
    ? `found ${started.run_id}, which this key had started (${nodes}, ${started.status})`
    : `started ${started.run_id} on board ${started.board} (${nodes})`;
}
