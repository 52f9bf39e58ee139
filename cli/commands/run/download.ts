import path from 'node:path';
import type { Command } from 'commander';
import { connect } from '../../api/connect.ts';
import type { RunDeliverables, WindlassApi } from '../../api/windlass-api.ts';
import { refuse } from '../../command-failure.ts';
import type { Destination } from '../../download/choose-destinations.ts';
import { downloadDeliverables } from '../../download/download-deliverables.ts';
import { withInterruption } from '../../interruption.ts';
import {
  addBoardOptions,
  repeatFlags,
  type BoardOptions,
} from '../../options/connection-options.ts';
import { chooseBoard, readRunArgument } from '../../options/read-arguments.ts';
import { formatBytes } from '../../output/format-bytes.ts';
import { countWords } from '../../output/format-values.ts';
import { createOutput, type Output } from '../../output/output.ts';
import { createProgress } from '../../output/progress.ts';
import { renderTable } from '../../output/table.ts';
import { hasEnded } from '../../watch/follow-events.ts';

interface DownloadOptions extends BoardOptions {
  to: string;
  overwrite?: boolean;
  partial?: boolean;
}

const examples = `
Examples:
  $ windlass run download run_01JQ5T8Z9Q6X4V2N7M3K1H0GFE --board demo --to out
  $ windlass run download run_01JQ5T8Z9Q6X4V2N7M3K1H0GFE --to out --overwrite

Size and SHA-256 of every file are compared with the run's record before any file gets its name.`;

export function defineCommand(command: Command): void {
  addBoardOptions(
    command
      .argument('<run>', 'id of the run', readRunArgument)
      .requiredOption('--to <folder>', 'folder for the files; made when it is not there')
      .option('--overwrite', 'replace files that are there')
      .option('--partial', 'take what there is of a run that did not succeed'),
  )
    .addHelpText('after', examples)
    .action(downloadRun);
}

async function downloadRun(run: string, options: DownloadOptions): Promise<void> {
  const output = createOutput(options);
  const board = chooseBoard(options.board, process.env);
  await withInterruption(
    () => 'nothing half-written was kept',
    async (signal) => {
      const connection = await connect(options, process.env, signal);
      const answer = await listAll(connection.api, board, run);
      requireDownloadable(answer, options.partial === true, repeatFlags(options, board));
      const progress = createProgress({ quiet: output.json });
      const total = countWords(answer.deliverables.length, 'deliverable');
      try {
        const written = await downloadDeliverables({
          connection,
          files: answer.deliverables,
          folder: options.to,
          overwrite: options.overwrite === true,
          signal,
          onReady: () => {
            progress.start(`fetching ${total}`);
          },
          onVerified: (done) => {
            progress.update(`fetching ${total}: ${String(done)} verified`);
          },
        });
        progress.finish(`fetched and verified ${total}`);
        tell(output, run, written);
      } finally {
        progress.stop();
      }
    },
  );
}

/** All pages of what the run delivers, as one. */
async function listAll(api: WindlassApi, board: string, run: string): Promise<RunDeliverables> {
  const first = await api.listDeliverables(board, run, 0);
  const deliverables = [...first.deliverables];
  for (let { next } = first; next !== null;) {
    const page = await api.listDeliverables(board, run, next);
    deliverables.push(...page.deliverables);
    ({ next } = page);
  }
  return { ...first, deliverables };
}

function requireDownloadable(answer: RunDeliverables, partial: boolean, flags: string): void {
  const { status, deliverables, run_id: run } = answer;
  if (!hasEnded(status) && !partial) {
    throw refuse(
      'RUN_NOT_ENDED',
      `the run is ${status}`,
      `wait for it: windlass run watch ${run} ${flags}`,
    );
  }
  if (status !== 'SUCCEEDED' && !partial) {
    throw refuse(
      `RUN_${status}`,
      `the run ended ${status}; its deliverables may be incomplete`,
      'give --partial to take what there is',
    );
  }
  if (deliverables.length === 0) throw refuse('NO_DELIVERABLES', 'the run has no deliverables');
}

/** The presigned addresses stay out: whoever has one can read the file. */
function tell(output: Output, run: string, written: Destination[]): void {
  if (output.json) {
    const deliverables = written.map(({ file, path: destination }) => ({
      node: file.node,
      output: file.output,
      reference: file.reference,
      filename: file.filename,
      media_type: file.media_type,
      size: file.size,
      sha256: file.sha256,
      path: path.resolve(destination),
    }));
    output.writeJson({ run_id: run, deliverables });
    return;
  }
  const columns = [
    { title: 'FILE' },
    { title: 'NODE' },
    { title: 'SIZE', align: 'right' as const },
    { title: 'SHA-256' },
  ];
  const rows = written.map(({ file, path: destination }) => [
    destination,
    file.node,
    formatBytes(file.size),
    file.sha256,
  ]);
  output.write(renderTable(columns, rows));
}
