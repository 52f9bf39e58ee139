import type { Command } from 'commander';
import { ArtifactFailure } from '../../artifact/artifact-failure.ts';
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
import { startTransferProgress } from '../../artifact/command/transfer-progress.ts';
import { checkDestination } from '../../artifact/destination/check-destination.ts';
import { downloadArtifact } from '../../artifact/download-artifact.ts';
import {
  parseArtifactReference,
  type ArtifactReference,
} from '../../../schemas/parse-artifact-reference.ts';

interface DownloadOptions extends RuntimeOptions {
  board?: string;
  taskId?: string;
  overwrite?: boolean;
}

const examples = `
Examples:
  $ windlass artifact download kanban-artifact:v1:demo:t_0123abcd:41:<sha256> ./retrieved.docx
  $ windlass artifact download "$REFERENCE" ./retrieved.docx --board demo --task-id t_0123abcd

Size and SHA-256 are compared with the reference before the file gets its name.
${artifactExitHelp}`;

export function defineCommand(command: Command): void {
  addRuntimeOptions(
    command
      .argument('<reference>', 'reference as `windlass artifact list` prints it')
      .argument('<dest>', 'the file to write')
      .option('--board <board>', 'refuse a reference of another board', readBoardArgument)
      .option('--task-id <task>', 'refuse a reference of another task', readTaskId)
      .option('--overwrite', 'replace a file that is there'),
  )
    .addHelpText('after', examples)
    .action(downloadRevision);
}

async function downloadRevision(
  text: string,
  dest: string,
  options: DownloadOptions,
): Promise<void> {
  const overwrite = options.overwrite === true;
  await runArtifactCommand(options, async (context) => {
    const reference = checkReference(text, options);
    const destination = await checkDestination(dest, overwrite);
    const progress = startTransferProgress('downloading');
    try {
      const onReceived = progress.update;
      const request = { reference, destination, overwrite, onReceived };
      return { ...(await downloadArtifact(context, request)), destination: dest };
    } finally {
      progress.stop();
    }
  });
}

/** A21, A22, A23: before anything is asked of the adapter. */
function checkReference(text: string, options: DownloadOptions): ArtifactReference {
  const reference = parseArtifactReference(text);
  if (reference === undefined) throw new ArtifactFailure('artifact_ref_malformed');
  if (options.board !== undefined && options.board !== reference.board)
    throw new ArtifactFailure('artifact_board_mismatch');
  if (options.taskId !== undefined && options.taskId !== reference.taskId)
    throw new ArtifactFailure('artifact_task_mismatch');
  return reference;
}
