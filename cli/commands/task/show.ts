import { InvalidArgumentError, type Command } from 'commander';
import { isTaskId } from '../../../schemas/parse-artifact-reference.ts';
import { connect } from '../../api/connect.ts';
import { addConnectionOptions, type ConnectionOptions } from '../../options/connection-options.ts';
import { readBoardArgument } from '../../options/read-board-argument.ts';
import { cleanText } from '../../output/clean-text.ts';
import { createOutput } from '../../output/output.ts';

const examples = `
Examples:
  $ windlass task show demo t_0123456789abcdef

What hangs on a task: windlass artifact list BOARD TASK`;

export function defineCommand(command: Command): void {
  addConnectionOptions(
    command
      .argument('<board>', 'name of the board', readBoardArgument)
      .argument('<task>', 'id of the task', readTaskArgument),
  )
    .addHelpText('after', examples)
    .action(async (board: string, task: string, options: ConnectionOptions) => {
      const output = createOutput(options);
      const { api } = await connect(options, process.env);
      const found = await api.showTask(board, task);
      if (output.json) output.writeJson(found);
      else {
        const at = new Date(found.created_at * 1_000).toISOString();
        const lines = [
          found.title,
          `${found.task_id} on ${board}, made ${at} by ${found.created_by}`,
        ];
        output.write(lines.map((line) => cleanText(line)).join('\n'));
      }
    });
}

function readTaskArgument(text: string): string {
  if (isTaskId(text)) return text;
  throw new InvalidArgumentError('A task is named as `windlass task list BOARD` shows it.');
}
