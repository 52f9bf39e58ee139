import type { PathStep } from '../../../schemas/make-fault.ts';
import { parseBindingSource } from './parse-binding-source.ts';
import type { PlanContext, WellFormedNode } from './plan-context.ts';
import { readOutput } from './read-output.ts';

/** An output of a written node that is a result of the run. */
export interface WrittenDeliverable {
  producer: WellFormedNode;
  output: string;
  mediaType: string;
  /** The name that the plan gives it. */
  filename: string | null;
  /** Where the name stands. */
  path: PathStep[];
}

/** The outputs that the plan names; without a list, every output that no node takes. */
export function listDeliverables(context: PlanContext): WrittenDeliverable[] {
  const written = context.read.deliverables;
  if (written === undefined) return listUntaken(context);
  return written.flatMap(({ from, filename }, index) => {
    const source = parseBindingSource(from);
    if (source.kind !== 'output') return [];
    const read = context.read.byId.get(source.node);
    if (read?.node === undefined || !Object.hasOwn(read.node.gives, source.output)) return [];
    const producer = { ...read, id: source.node, node: read.node };
    const path = ['deliverables', index, filename === undefined ? 'from' : 'filename'];
    const deliverable = compose(producer, source.output);
    return deliverable === undefined
      ? []
      : [{ ...deliverable, path, filename: filename ?? deliverable.filename }];
  });
}

function listUntaken(context: PlanContext): WrittenDeliverable[] {
  const taken = new Set<string>();
  for (const { node } of context.nodes) {
    for (const text of Object.values(node.takes ?? {})) taken.add(text.replace('[item]', ''));
  }
  return context.nodes.flatMap((producer) =>
    Object.keys(producer.node.gives).flatMap((output) =>
      taken.has(`${producer.id}.${output}`) ? [] : (compose(producer, output) ?? []),
    ),
  );
}

function compose(producer: WellFormedNode, output: string): WrittenDeliverable | undefined {
  const written = producer.node.gives[output];
  if (written === undefined) return undefined;
  const { mediaType, filename } = readOutput(written);
  const path = ['nodes', producer.index, 'gives', output];
  return { producer, output, mediaType, filename, path };
}
