import Table from 'cli-table3';

export interface NodeRow {
  id: string;
  level: number | null;
  executor: string | null;
  state: string;
  attempts: number;
  seconds: string;
  cost_micro_usd: string;
}

/** One line a node: who did it at which level, in how many tries, how long, for how much. */
export function renderNodeTable(nodes: readonly NodeRow[]): string {
  const table = new Table({
    head: ['node', 'level', 'executor', 'attempts', 'seconds', 'cost (µUSD)', 'state'],
    colAligns: ['left', 'right', 'left', 'right', 'right', 'right', 'left'],
    style: { head: [], border: [], compact: true },
  });
  for (const node of nodes) {
    table.push([
      node.id,
      node.level ?? '',
      node.executor ?? '',
      node.attempts,
      node.seconds,
      node.cost_micro_usd,
      node.state,
    ]);
  }
  return table.toString();
}
