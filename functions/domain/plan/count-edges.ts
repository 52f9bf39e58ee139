import { parseBindingSource } from './parse-binding-source.ts';
import { countItems, type PlanContext, type WellFormedNode } from './plan-context.ts';

/** Files that one node of this written node takes, and nodes that it names in `after`. */
export function countEdges(context: PlanContext, { node }: WellFormedNode): number {
  let edges = 0;
  for (const text of Object.values(node.takes ?? {})) edges += countSource(context, text);
  for (const id of node.after ?? []) edges += countNodes(context, id);
  return edges;
}

function countSource(context: PlanContext, text: string): number {
  const source = parseBindingSource(text);
  switch (source.kind) {
    case 'item':
      return 1;
    case 'input':
      return context.files.get(source.input)?.length ?? 0;
    case 'output':
      return source.item ? 1 : countNodes(context, source.node);
  }
}

function countNodes(context: PlanContext, id: string): number {
  const node = context.read.byId.get(id)?.parts;
  return node === undefined ? 1 : countItems(context, node);
}
