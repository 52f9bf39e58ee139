import type { Command } from 'commander';
import { connect } from '../../api/connect.ts';
import { addBoardOptions, type BoardOptions } from '../../options/connection-options.ts';
import { chooseBoard, readRunArgument } from '../../options/read-arguments.ts';
import { createOutput } from '../../output/output.ts';
import {
  renderFailures,
  renderGroups,
  renderNodes,
  renderRunHead,
} from '../../watch/render-run.ts';

const examples = `
Examples:
  $ windlass run status run_01JQ5T8Z9Q6X4V2N7M3K1H0GFE --board demo
  $ windlass run status run_01JQ5T8Z9Q6X4V2N7M3K1H0GFE --nodes
  $ windlass run status run_01JQ5T8Z9Q6X4V2N7M3K1H0GFE --json | jq -r .status`;

export function defineCommand(command: Command): void {
  addBoardOptions(
    command
      .argument('<run>', 'id of the run', readRunArgument)
      .option('--nodes', 'a line for each node, also for those that for_each made'),
  )
    .addHelpText('after', examples)
    .action(async (run: string, options: BoardOptions & { nodes?: boolean }) => {
      const output = createOutput(options);
      const board = chooseBoard(options.board, process.env);
      const { api } = await connect(options, process.env);
      const detail = await api.showRun(board, run);
      if (output.json) {
        output.writeJson(detail);
        return;
      }
      output.write(`${renderRunHead(detail, new Date(), output.paint)}\n`);
      const render = options.nodes === true ? renderNodes : renderGroups;
      output.write(render(detail, output.paint));
      for (const failure of renderFailures(detail)) output.write(output.paint('red', failure));
    });
}
