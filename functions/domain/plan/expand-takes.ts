import type { Binding } from '../../../schemas/expanded-plan.ts';
import { listNodes } from './name-deliverables.ts';
import { nameExpandedNode } from './name-expanded-node.ts';
import { parseBindingSource, parseForEachInput } from './parse-binding-source.ts';
import type { PlanContext, WellFormedNode } from './plan-context.ts';

/** The bindings of one node of a written node; `item` counts from 0. The plan has passed its checks. */
export function expandTakes(
  context: PlanContext,
  written: WellFormedNode,
  item: number,
): Record<string, Binding> {
  return Object.fromEntries(
    Object.entries(written.node.takes ?? {}).map(([name, text]) => [
      name,
      expandSource(context, { written, item, text }),
    ]),
  );
}

/** Every node that must come first, sorted. */
export function expandNeeds(
  context: PlanContext,
  written: WellFormedNode,
  takes: Readonly<Record<string, Binding>>,
): string[] {
  const needs = new Set<string>();
  for (const binding of Object.values(takes)) {
    if (binding.kind === 'output') for (const node of binding.nodes) needs.add(node);
  }
  for (const id of written.node.after ?? []) {
    for (const node of listNodesOf(context, id)) needs.add(node);
  }
  return [...needs].sort();
}

function expandSource(
  context: PlanContext,
  { written, item, text }: { written: WellFormedNode; item: number; text: string },
): Binding {
  const source = parseBindingSource(text);
  switch (source.kind) {
    case 'item': {
      const input = parseForEachInput(written.node.for_each ?? []) ?? '';
      const file = context.files.get(input)?.[item];
      return { kind: 'input', artifacts: file === undefined ? [] : [file], list: false };
    }
    case 'input': {
      const artifacts = [...(context.files.get(source.input) ?? [])];
      const list = context.read.inputs?.[source.input]?.kind === 'files';
      return { kind: 'input', artifacts, list };
    }
    case 'output': {
      const { output } = source;
      if (source.item) {
        const nodes = [nameExpandedNode(source.node, item + 1)];
        return { kind: 'output', nodes, output, list: false };
      }
      const list = context.read.byId.get(source.node)?.node?.for_each !== undefined;
      return { kind: 'output', nodes: listNodesOf(context, source.node), output, list };
    }
  }
}

function listNodesOf(context: PlanContext, id: string): string[] {
  const read = context.read.byId.get(id);
  if (read?.node === undefined) return [];
  return listNodes(context, { producer: { ...read, id, node: read.node } });
}
