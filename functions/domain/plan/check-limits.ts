import { limits, type LimitName } from '../../../schemas/limits.ts';
import type { PlanNodeDocument } from '../../../schemas/plan.ts';
import type { Fault } from '../../../schemas/problem.ts';
import { countEdges } from './count-edges.ts';
import { makeFault, type PathStep } from '../../../schemas/make-fault.ts';
import { countItems, type PlanContext } from './plan-context.ts';
import { countPlaceholders } from './fill-item.ts';
import { readOutputs } from './read-output.ts';

/** OVER_LIMIT: planNodes, nodeEdges, planEdges, nodeOutputs, nodeOutputNameBytes, nodeParamsBytes, expandedPlanBytes. */
export function checkLimits(context: PlanContext): Fault[] {
  const faults: Fault[] = [];
  const total = { nodes: 0, edges: 0, bytes: 0 };
  for (const written of context.nodes) {
    const { index, node } = written;
    const items = countItems(context, node);
    const edges = countEdges(context, written);
    const itemBytes = measureItems(node);
    const paramsBytes = measureJson(node.params ?? {}) + itemBytes;
    total.nodes += items;
    total.edges += items * edges;
    total.bytes += items * (measureJson({ ...node, for_each: null }) + itemBytes);
    const path = ['nodes', index];
    faults.push(
      ...checkLimit(
        path,
        'nodeEdges',
        edges,
        'Take fewer files in one node, and merge in two steps.',
      ),
      ...checkLimit(
        [...path, 'params'],
        'nodeParamsBytes',
        paramsBytes,
        'Hand large data in as a file that the node takes.',
      ),
      ...checkOutputs([...path, 'gives'], node),
    );
  }
  const fix = 'Split the plan into several.';
  return [
    ...faults,
    ...checkLimit(['nodes'], 'planNodes', total.nodes, fix),
    ...checkLimit(['nodes'], 'planEdges', total.edges, fix),
    ...checkLimit(['nodes'], 'expandedPlanBytes', total.bytes, fix),
  ];
}

/** What an attempt gave has to fit into the one message that carries its outcome. */
function checkOutputs(path: readonly PathStep[], node: PlanNodeDocument): Fault[] {
  const outputs = Object.entries(readOutputs(node)).map(([name, { mediaType, filename }]) => [
    name,
    mediaType,
    filename,
  ]);
  const tooMany = checkLimit(
    path,
    'nodeOutputs',
    outputs.length,
    'Pack what belongs together into one output, or split the node.',
  );
  if (tooMany.length > 0) return tooMany;
  const nameBytes = measureJson(outputs);
  return checkLimit(path, 'nodeOutputNameBytes', nameBytes, 'Write shorter names and file names.');
}

function checkLimit(
  path: readonly PathStep[],
  limit: LimitName,
  value: number,
  fix: string,
): Fault[] {
  if (value <= limits[limit]) return [];
  const message = `${String(value)} is above ${limit} (${String(limits[limit])}), for_each expanded`;
  return [makeFault(path, value, { code: 'OVER_LIMIT', message, fix })];
}

/** Bytes that the largest item of a list adds to the params of its node. */
function measureItems({ for_each: forEach, params }: PlanNodeDocument): number {
  if (typeof forEach !== 'object') return 0;
  const largest = forEach.reduce<number>((most, item) => Math.max(most, measureJson(item)), 0);
  return largest * Math.max(1, countPlaceholders(params ?? {}));
}

function measureJson(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
