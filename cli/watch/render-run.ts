import type { RunDetail } from '../api/windlass-api.ts';
import { cleanText } from '../output/clean-text.ts';
import { formatDuration, formatMicroUsd } from '../output/format-values.ts';
import type { Output } from '../output/output.ts';
import { renderTable, type Cell } from '../output/table.ts';
import { describeCounts, groupNodes, type NodeGroup } from './group-nodes.ts';

type Paint = Output['paint'];

/** The head of a run: what it is, where it stands, what it has used. */
export function renderRunHead(run: RunDetail, now: Date, paint: Paint): string {
  const began = run.started_at === null ? now : new Date(run.started_at);
  const ended = run.ended_at === null ? now : new Date(run.ended_at);
  const elapsed = formatDuration(ended.getTime() - began.getTime());
  const spent = formatMicroUsd(run.budget.spent.COMPUTE_COST);
  const limit = formatMicroUsd(run.budget.limit.COMPUTE_COST);
  const attempts = `${run.budget.spent.ATTEMPTS} of ${run.budget.limit.ATTEMPTS} attempts`;
  const lines = [
    `${paint('bold', cleanText(run.plan))}  ${run.run_id}  ${paintStatus(run.status, paint)}`,
    `${elapsed}, ${spent} of ${limit}, ${attempts}`,
  ];
  if (run.detail !== '') lines.push(cleanText(run.detail));
  return lines.join('\n');
}

export function paintStatus(status: string, paint: Paint): string {
  if (status === 'SUCCEEDED' || status === 'ACCEPTED') return paint('green', status);
  if (status === 'FAILED' || status === 'CANCELLED') return paint('red', status);
  if (status === 'CANCELLING') return paint('yellow', status);
  return paint('cyan', status);
}

const columns = [
  { title: 'NODE' },
  { title: 'STATE' },
  { title: 'LEVEL', align: 'right' as const },
  { title: 'EXECUTOR' },
  { title: 'TRIES', align: 'right' as const },
  { title: 'TOOK', align: 'right' as const },
  { title: 'COST', align: 'right' as const },
];

/** One line for each node as written; `room` bounds it for a terminal. */
export function renderGroups(
  run: RunDetail,
  paint: Paint,
  room: { rows: number; columns: number } = { rows: Infinity, columns: Infinity },
): string {
  const groups = groupNodes(run.nodes);
  const shown = groups.slice(0, room.rows);
  const left = groups.length - shown.length;
  const table = renderTable(
    columns,
    shown.map((group) => renderRow(group, paint)),
    room.columns,
  );
  return left === 0 ? table : `${table}\n… and ${String(left)} more`;
}

/** One line for each node, as `run status --nodes` shows them. */
export function renderNodes(run: RunDetail, paint: Paint): string {
  const rows = run.nodes.map((node) => {
    const [group] = groupNodes([{ ...node, id: node.id }]);
    return group === undefined ? [] : renderRow({ ...group, name: node.id }, paint);
  });
  return renderTable(columns, rows);
}

/** What went wrong, one line for each node as written. */
export function renderFailures(run: RunDetail): string[] {
  return groupNodes(run.nodes)
    .map((group) => group.failure)
    .filter((failure) => failure !== null)
    .map((failure) => cleanText(failure));
}

function renderRow(group: NodeGroup, paint: Paint): Cell[] {
  return [
    group.name,
    { text: describeCounts(group), paint: (text) => paintCounts(group, text, paint) },
    group.levels.join(', '),
    group.executors.join(', '),
    String(group.attempts),
    group.tookMilliseconds === 0 ? '' : formatDuration(group.tookMilliseconds),
    formatMicroUsd(group.costMicroUsd.toString()),
  ];
}

function paintCounts(group: NodeGroup, text: string, paint: Paint): string {
  if ((group.counts.FAILED ?? 0) > 0) return paint('red', text);
  if ((group.counts.ACTIVE ?? 0) > 0) return paint('cyan', text);
  if (group.counts.ACCEPTED === group.nodes) return paint('green', text);
  return paint('dim', text);
}
