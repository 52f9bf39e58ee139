import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import { connect } from '../../api/connect.ts';
import type { RunDetail, WindlassApi } from '../../api/windlass-api.ts';
import { CommandFailure, refuse, refuseUsage } from '../../command-failure.ts';
import { exitCodes } from '../../exit-codes.ts';
import { withInterruption } from '../../interruption.ts';
import {
  addBoardOptions,
  repeatFlags,
  type BoardOptions,
} from '../../options/connection-options.ts';
import { chooseBoard, readCount, readRunArgument } from '../../options/read-arguments.ts';
import { countWords, formatDuration } from '../../output/format-values.ts';
import { createOutput } from '../../output/output.ts';
import { createProgress } from '../../output/progress.ts';
import { limits } from '../../../schemas/limits.ts';
import { cancelRunBody } from '../../../schemas/public-api.ts';
import { computePollDelay, hasEnded } from '../../watch/follow-events.ts';

interface CancelOptions extends BoardOptions {
  cause?: string;
  wait: boolean;
  timeout: number;
}

const examples = `
Examples:
  $ windlass run cancel run_01JQ5T8Z9Q6X4V2N7M3K1H0GFE --board demo --cause 'wrong documents'
  $ windlass run cancel run_01JQ5T8Z9Q6X4V2N7M3K1H0GFE --no-wait

It waits until the run is CANCELLED, which is said only when every workflow and Fargate task of the
run is confirmed to have stopped.`;

export function defineCommand(command: Command): void {
  addBoardOptions(
    command
      .argument('<run>', 'id of the run', readRunArgument)
      .option('--cause <text>', 'why, for the log of the run')
      .option('--no-wait', 'return once the cancel is recorded')
      .option('--timeout <seconds>', 'stop waiting after this long', readCount, 300),
  )
    .addHelpText('after', examples)
    .action(cancelRun);
}

async function cancelRun(run: string, options: CancelOptions): Promise<void> {
  const output = createOutput(options);
  const board = chooseBoard(options.board, process.env);
  if (!cancelRunBody.safeParse({ cause: options.cause }).success) {
    throw refuseUsage(`--cause: must be 1 to ${String(limits.detailCharacters)} characters`);
  }
  let requested = false;
  const advice = () =>
    requested
      ? `the cancel goes on; see: windlass run status ${run} ${repeatFlags(options, board)}`
      : 'the cancel may not have been recorded';
  await withInterruption(advice, async (signal) => {
    const { api } = await connect(options, process.env, signal);
    const answer = await api.cancelRun(board, run, options.cause);
    requested = true;
    if (!options.wait || answer.status === 'CANCELLED') {
      if (output.json) output.writeJson(answer);
      else output.write(`${run} ${answer.status}`);
      return;
    }
    const ended = await waitForEnd({ api, board, run, options, signal });
    if (ended.status !== 'CANCELLED') {
      throw refuse(
        `RUN_${ended.status}`,
        `the run ended ${ended.status} before it could be cancelled`,
      );
    }
    if (output.json) output.writeJson(ended);
    else output.write(`${run} CANCELLED`);
  });
}

interface WaitForEnd {
  api: WindlassApi;
  board: string;
  run: string;
  options: CancelOptions;
  signal: AbortSignal;
}

async function waitForEnd({ api, board, run, options, signal }: WaitForEnd): Promise<RunDetail> {
  const progress = createProgress({ quiet: options.json === true });
  const began = performance.now();
  let delay = 0;
  let seq: number | undefined;
  progress.start('cancelling');
  try {
    for (;;) {
      const detail = await api.showRun(board, run);
      const elapsed = performance.now() - began;
      if (detail.status === 'CANCELLED')
        progress.finish(`everything of the run has stopped (${formatDuration(elapsed)})`);
      if (hasEnded(detail.status)) return detail;
      if (elapsed > options.timeout * 1000)
        throw reportStillRunning(run, repeatFlags(options, board), elapsed);
      const active = detail.nodes.filter((node) => node.state === 'ACTIVE').length;
      progress.update(
        `cancelling: ${countWords(active, 'node')} still active, ${formatDuration(elapsed)}`,
      );
      delay = computePollDelay(delay, detail.seq !== seq);
      seq = detail.seq;
      await wait(delay, undefined, { signal });
    }
  } finally {
    progress.stop();
  }
}

function reportStillRunning(run: string, flags: string, elapsed: number): CommandFailure {
  return new CommandFailure({
    exit: exitCodes.refused,
    code: 'CANCEL_UNCONFIRMED',
    message: `the cancel is recorded, but not confirmed after ${formatDuration(elapsed)}`,
    fix: `look again with: windlass run status ${run} ${flags}; the sweep repeats the stop every minute`,
  });
}
