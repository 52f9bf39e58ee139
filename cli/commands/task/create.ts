import { randomUUID } from 'node:crypto';
import { InvalidArgumentError, type Command } from 'commander';
import { idempotencyKey } from '../../../schemas/public-api.ts';
import { taskTitle } from '../../../schemas/task-api.ts';
import { connect } from '../../api/connect.ts';
import { addConnectionOptions, type ConnectionOptions } from '../../options/connection-options.ts';
import { readBoardArgument } from '../../options/read-board-argument.ts';
import { createOutput } from '../../output/output.ts';

const examples = `
Examples:
  $ windlass task create demo 'Review the brief'
  $ task=$(windlass task create demo 'Review the brief')
  $ windlass artifact upload demo "$task" brief.docx

Without --idempotency-key each call makes a new task; with one, the same call finds the same task.`;

interface CreateOptions extends ConnectionOptions {
  idempotencyKey?: string;
}

export function defineCommand(command: Command): void {
  addConnectionOptions(
    command
      .argument('<board>', 'name of the board', readBoardArgument)
      .argument('<title>', 'what the task is about, one line', readTitle)
      .option('--idempotency-key <key>', 'the same key and title make one task', readKey),
  )
    .addHelpText('after', examples)
    .action(async (board: string, title: string, options: CreateOptions) => {
      const output = createOutput(options);
      // One key an invocation: a try that is repeated because its answer got lost finds its own task.
      const key = options.idempotencyKey ?? `cli-${randomUUID()}`;
      const { api } = await connect(options, process.env);
      const task = await api.createTask(board, title, key);
      if (output.json) output.writeJson(task);
      else output.write(task.task_id);
    });
}

function readTitle(text: string): string {
  const title = taskTitle.safeParse(text);
  if (title.success) return title.data;
  throw new InvalidArgumentError('It must be one line of 1 to 200 characters.');
}

function readKey(text: string): string {
  if (idempotencyKey.safeParse(text).success) return text;
  throw new InvalidArgumentError('It must be 1 to 200 printable ASCII characters, no spaces.');
}
