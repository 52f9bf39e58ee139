import type { Command } from 'commander';
import { connect } from '../../api/connect.ts';
import { withInterruption } from '../../interruption.ts';
import {
  addBoardOptions,
  repeatFlags,
  type BoardOptions,
} from '../../options/connection-options.ts';
import { chooseBoard, readRunArgument } from '../../options/read-arguments.ts';
import { createOutput } from '../../output/output.ts';
import { concludeWatch, watchRun } from '../../watch/watch-run.ts';

const examples = `
Examples:
  $ windlass run watch run_01JQ5T8Z9Q6X4V2N7M3K1H0GFE --board demo
  $ windlass run watch run_01JQ5T8Z9Q6X4V2N7M3K1H0GFE --json | jq -r .event.type

A terminal gets a table that is drawn again; a pipe gets one line an event; --json one document an
event and the run at the end. Ctrl-C stops watching, not the run.
The exit status is 0 when the run SUCCEEDED and 4 when it ended in another way.`;

export function defineCommand(command: Command): void {
  addBoardOptions(command.argument('<run>', 'id of the run', readRunArgument))
    .addHelpText('after', examples)
    .action(async (run: string, options: BoardOptions) => {
      const board = chooseBoard(options.board, process.env);
      const output = createOutput(options);
      const advice = () =>
        `the run goes on; watch it again with: windlass run watch ${run} ${repeatFlags(options, board)}`;
      await withInterruption(advice, async (signal) => {
        const { api } = await connect(options, process.env, signal);
        const ended = await watchRun({ api, board, run, output, signal });
        concludeWatch(ended, repeatFlags(options, board), output);
      });
    });
}
