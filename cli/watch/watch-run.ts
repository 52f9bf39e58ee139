import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import type { RunDetail, WindlassApi } from '../api/windlass-api.ts';
import { cleanText } from '../output/clean-text.ts';
import type { Output } from '../output/output.ts';
import { describeRecordedEvent, type KnownAttempts } from './describe-event.ts';
import { followEvents, type EventPage } from './follow-events.ts';
import { createLiveView } from './live-view.ts';
import { renderFailures, renderGroups, renderRunHead } from './render-run.ts';

/** Between two looks at the whole run, so that a large one is not read at every event. */
const detailMilliseconds = 1_000;

interface WatchRun {
  api: WindlassApi;
  board: string;
  run: string;
  output: Output;
  signal: AbortSignal;
}

/** Shows a run until it ends: a view on a terminal, a line an event in a pipe, a document an event as JSON. */
export async function watchRun(watch: WatchRun): Promise<RunDetail> {
  const { api, board, run, output } = watch;
  const follow = followEvents({ ...watch, after: 0 });
  if (output.live) await drawPages(watch, follow);
  else await writePages(output, follow);
  const last = await api.showRun(board, run);
  if (output.json) output.writeJsonLine({ run: last });
  else if (!output.live) output.write(`\n${renderWhole(last, output)}`);
  return last;
}

async function writePages(output: Output, follow: AsyncGenerator<EventPage>): Promise<void> {
  const known: KnownAttempts = new Map();
  for await (const page of follow) {
    for (const event of page.events) {
      if (output.json) output.writeJsonLine(event);
      else output.write(describeRecordedEvent(event, known));
    }
  }
}

async function drawPages(watch: WatchRun, follow: AsyncGenerator<EventPage>): Promise<void> {
  const { api, board, run, output, signal } = watch;
  const view = createLiveView(process.stdout);
  let detail = await api.showRun(board, run);
  let readAt = performance.now();
  let stale = false;
  const draw = () => {
    const room = {
      rows: Math.max(3, (process.stdout.rows || 24) - 6),
      columns: process.stdout.columns || 80,
    };
    const head = renderRunHead(detail, new Date(), output.paint);
    view.draw(`${head}\n\n${renderGroups(detail, output.paint, room)}`);
  };
  const timer = setInterval(draw, detailMilliseconds);
  try {
    draw();
    for await (const page of follow) {
      stale ||= page.events.length > 0 || page.status !== detail.status;
      if (!stale || performance.now() - readAt < detailMilliseconds) continue;
      detail = await api.showRun(board, run);
      readAt = performance.now();
      stale = false;
      draw();
    }
    signal.throwIfAborted();
    detail = await api.showRun(board, run);
    draw();
  } finally {
    clearInterval(timer);
    view.end();
  }
  for (const failure of renderFailures(detail)) output.write(output.paint('red', failure));
}

function renderWhole(run: RunDetail, output: Output): string {
  const parts = [renderRunHead(run, new Date(), output.paint), renderGroups(run, output.paint)];
  const failures = renderFailures(run);
  if (failures.length > 0) parts.push(failures.join('\n'));
  return parts.join('\n\n');
}

/** Ends the command by how the run ended. The flags are those with which another command reaches the same board. */
export function concludeWatch(run: RunDetail, flags: string, output: Output): void {
  if (run.status === 'SUCCEEDED') {
    const download = `windlass run download ${run.run_id} --to FOLDER ${flags}`;
    if (!output.json) output.note(`fetch what it delivers: ${download}`);
    return;
  }
  throw new CommandFailure({
    exit: exitCodes.runNotSucceeded,
    code: `RUN_${run.status}`,
    message: cleanText(describeEnd(run)),
    fix: adviseWhere(run, flags),
  });
}

function adviseWhere(run: RunDetail, flags: string): string {
  const failed = run.nodes.find((node) => node.state === 'FAILED');
  return failed === undefined
    ? `see what happened: windlass run events ${run.run_id} ${flags}`
    : `see why, with what its tool said: windlass run explain ${run.run_id} ${failed.id} ${flags}`;
}

function describeEnd(run: RunDetail): string {
  return `the run ${run.run_id} ended ${run.status}${run.detail === '' ? '' : `: ${run.detail}`}`;
}
