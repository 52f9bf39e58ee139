import type { Command } from 'commander';
import type { TaskDetail } from '../../api/task-api.ts';
import { connect } from '../../api/connect.ts';
import { addConnectionOptions, type ConnectionOptions } from '../../options/connection-options.ts';
import { readLimit } from '../../options/read-arguments.ts';
import { readBoardArgument } from '../../options/read-board-argument.ts';
import { createOutput } from '../../output/output.ts';
import { renderTable } from '../../output/table.ts';

const examples = `
Examples:
  $ windlass task list demo
  $ windlass task list demo --limit 100 --json | jq -r '.tasks[].task_id'`;

interface ListOptions extends ConnectionOptions {
  limit: number;
}

export function defineCommand(command: Command): void {
  addConnectionOptions(
    command
      .argument('<board>', 'name of the board', readBoardArgument)
      .option('--limit <count>', 'list at most this many, the latest first', readLimit, 20),
  )
    .addHelpText('after', examples)
    .action(async (board: string, options: ListOptions) => {
      const output = createOutput(options);
      const { api } = await connect(options, process.env);
      const tasks: TaskDetail[] = [];
      let next: string | null | undefined;
      while (next !== null && tasks.length < options.limit) {
        const page: Awaited<ReturnType<typeof api.listTasks>> = await api.listTasks(board, next);
        tasks.push(...page.tasks);
        next = page.next;
      }
      const shown = tasks.slice(0, options.limit);
      if (output.json) output.writeJson({ tasks: shown });
      else if (shown.length === 0) output.note(`no tasks on board ${board}`);
      else output.write(renderTasks(shown));
    });
}

function renderTasks(tasks: TaskDetail[]): string {
  const columns = ['TASK', 'CREATED', 'TITLE'].map((title) => ({ title }));
  const rows = tasks.map((task) => [
    task.task_id,
    new Date(task.created_at * 1_000).toISOString(),
    task.title,
  ]);
  return renderTable(columns, rows);
}
