import type { Command } from 'commander';
import { connect } from '../../api/connect.ts';
import type { RunList } from '../../api/windlass-api.ts';
import { addBoardOptions, type BoardOptions } from '../../options/connection-options.ts';
import { chooseBoard, readLimit } from '../../options/read-arguments.ts';
import { createOutput } from '../../output/output.ts';
import { renderTable } from '../../output/table.ts';
import { paintStatus } from '../../watch/render-run.ts';

const examples = `
Examples:
  $ windlass run list --board demo
  $ windlass run list --board demo --limit 100 --json | jq -r '.runs[].run_id'`;

export function defineCommand(command: Command): void {
  addBoardOptions(
    command.option('--limit <count>', 'list at most this many, the latest first', readLimit, 20),
  )
    .addHelpText('after', examples)
    .action(async (options: BoardOptions & { limit: number }) => {
      const output = createOutput(options);
      const board = chooseBoard(options.board, process.env);
      const { api } = await connect(options, process.env);
      const runs: RunList['runs'] = [];
      let next: string | null | undefined;
      while (next !== null && runs.length < options.limit) {
        const page: RunList = await api.listRuns(board, next);
        runs.push(...page.runs);
        next = page.next;
      }
      const shown = runs.slice(0, options.limit);
      if (output.json) output.writeJson({ runs: shown });
      else if (shown.length === 0) output.note(`no runs on board ${board}`);
      else {
        const columns = ['RUN', 'PLAN', 'STATUS', 'STARTED', 'ENDED'].map((title) => ({ title }));
        const rows = shown.map((run) => [
          run.run_id,
          run.plan,
          { text: run.status, paint: (text: string) => paintStatus(text, output.paint) },
          run.started_at ?? '',
          run.ended_at ?? '',
        ]);
        output.write(renderTable(columns, rows));
      }
    });
}
