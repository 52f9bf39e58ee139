import type { Command } from 'commander';
import { connect } from '../../api/connect.ts';
import { addConnectionOptions, type ConnectionOptions } from '../../options/connection-options.ts';
import { readBoardArgument } from '../../options/read-board-argument.ts';
import { createOutput } from '../../output/output.ts';

const examples = `
Examples:
  $ windlass board create demo
  $ windlass board create demo --stack default --json

Creating a board that you created before is no fault. Whoever creates a board may do everything on it.`;

export function defineCommand(command: Command): void {
  addConnectionOptions(command.argument('<board>', 'name of the board', readBoardArgument))
    .addHelpText('after', examples)
    .action(async (board: string, options: ConnectionOptions) => {
      const output = createOutput(options);
      const { api } = await connect(options, process.env);
      const answer = await api.createBoard(board);
      if (output.json) output.writeJson(answer);
      else output.write(answer.created ? `created ${board}` : `${board} was there already`);
    });
}
