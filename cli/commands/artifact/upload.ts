import type { Command } from 'commander';
import type { TaskAddress } from '../../../schemas/task-address.ts';
import type { ArtifactContext } from '../../artifact/artifact-context.ts';
import {
  addRuntimeOptions,
  artifactExitHelp,
  readTaskId,
} from '../../artifact/command/artifact-options.ts';
import { readBoardArgument } from '../../options/read-board-argument.ts';
import {
  checkKindUsage,
  chooseUploadKind,
  type ChosenKind,
  type KindOptions,
} from '../../artifact/command/choose-upload-kind.ts';
import {
  runArtifactCommand,
  type RuntimeOptions,
} from '../../artifact/command/run-artifact-command.ts';
import { startTransferProgress } from '../../artifact/command/transfer-progress.ts';
import type { ArtifactDescription } from '../../artifact/records/describe-artifact.ts';
import { chooseOriginalName } from '../../artifact/source/choose-name.ts';
import { openSource } from '../../artifact/source/open-source.ts';
import { measureSource } from '../../artifact/source/read-source.ts';
import { uploadArtifact, type UploadKind } from '../../artifact/upload-artifact.ts';

type UploadOptions = RuntimeOptions & KindOptions;

interface UploadTarget extends TaskAddress {
  path: string;
  kind: ChosenKind;
}

const examples = `
Examples:
  $ windlass artifact upload demo t_0123abcd ./brief.docx --worker-runtime windlass-aws
  $ windlass artifact upload demo t_0123abcd ./page-1.png --role preview --original "$REFERENCE"

A companion is named after its original: brief.docx.preview.png, brief.docx.extracted.txt.
${artifactExitHelp}`;

export function defineCommand(command: Command): void {
  addRuntimeOptions(
    command
      .argument('<board>', 'board of the task', readBoardArgument)
      .argument('<task>', 'id of the task', readTaskId)
      .argument('<path>', 'the file to attach')
      .option('--role <role>', 'original (the default), preview or extracted-text')
      .option('--original <reference>', 'the original that a companion belongs to')
      .option('--media-type <type>', 'type/subtype, instead of what the file name says'),
  )
    .addHelpText('after', examples)
    .action(async (board: string, taskId: string, path: string, options: UploadOptions) => {
      checkKindUsage(options);
      await runArtifactCommand(options, async (context) => {
        const kind = chooseUploadKind(options, { board, taskId });
        return await upload(context, { board, taskId, path, kind });
      });
    });
}

async function upload(
  context: ArtifactContext,
  { board, taskId, path, kind }: UploadTarget,
): Promise<ArtifactDescription> {
  const source = await openSource(path);
  try {
    const named = await nameUpload(kind, path);
    const measure = await measureSource(source);
    const progress = startTransferProgress('uploading', measure.size);
    try {
      const onSent = progress.update;
      const request = { board, taskId, kind: named, source, measure, onSent };
      return await uploadArtifact(context, request);
    } finally {
      progress.stop();
    }
  } finally {
    await source.close();
  }
}

/** The local file of a companion may have any name. */
async function nameUpload(kind: ChosenKind, path: string): Promise<UploadKind> {
  if (kind.role !== 'original') return kind;
  const filename = chooseOriginalName(path);
  if (kind.mediaType !== undefined)
    return { role: 'original', filename, mediaType: kind.mediaType };
  const { chooseMediaType } = await import('../../inputs/choose-media-type.ts');
  return { role: 'original', filename, mediaType: chooseMediaType(filename) };
}
