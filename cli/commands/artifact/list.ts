import type { Command } from 'commander';
import {
  addRuntimeOptions,
  artifactExitHelp,
  readTaskId,
} from '../../artifact/command/artifact-options.ts';
import { readBoardArgument } from '../../options/read-board-argument.ts';
import {
  runArtifactCommand,
  type RuntimeOptions,
} from '../../artifact/command/run-artifact-command.ts';
import { listArtifacts } from '../../artifact/list-artifacts.ts';
import { parseRole } from '../../artifact/roles/artifact-role.ts';

interface ListOptions extends RuntimeOptions {
  role?: string;
}

const examples = `
Examples:
  $ windlass artifact list demo t_0123abcd --worker-runtime windlass-aws
  $ windlass artifact list demo t_0123abcd --role original
${artifactExitHelp}`;

export function defineCommand(command: Command): void {
  addRuntimeOptions(
    command
      .argument('<board>', 'board of the task', readBoardArgument)
      .argument('<task>', 'id of the task', readTaskId)
      .option('--role <role>', 'only original, preview or extracted-text'),
  )
    .addHelpText('after', examples)
    .action(listTask);
}

async function listTask(board: string, taskId: string, options: ListOptions): Promise<void> {
  await runArtifactCommand(options, async (context) => {
    const role = options.role === undefined ? undefined : parseRole(options.role);
    return await listArtifacts(context, { board, taskId, role });
  });
}
