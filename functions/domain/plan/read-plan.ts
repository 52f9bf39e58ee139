import { z } from 'zod';
import { explainIssues } from '../../../schemas/explain-issues.ts';
import { limits } from '../../../schemas/limits.ts';
import { plan, planNode, type PlanDocument, type PlanNodeDocument } from '../../../schemas/plan.ts';
import { planWords } from '../../../schemas/plan-words.ts';
import type { Fault } from '../../../schemas/problem.ts';
import { makeFault } from '../../../schemas/make-fault.ts';
import { salvageNode } from './salvage-node.ts';

const header = plan.extend({ nodes: z.array(z.unknown()) });
type Header = Omit<PlanDocument, 'nodes'>;

/** A node as far as it can be read: a bad one may still have an id that others name. */
export interface ReadNode {
  index: number;
  id: string | undefined;
  /** Undefined when its shape is bad. */
  node: PlanNodeDocument | undefined;
  /** The fields whose own shape is right; of `takes` and `after` the entries. */
  parts: Partial<PlanNodeDocument>;
}

/** A plan document as far as it can be read; each part is undefined when its shape is bad. */
export interface ReadPlan {
  nodes: ReadNode[];
  /** The first node of each id. */
  byId: ReadonlyMap<string, ReadNode>;
  header: Header | undefined;
  budget: Header['budget'] | undefined;
  inputs: NonNullable<Header['inputs']> | undefined;
  deliverables: Header['deliverables'] | undefined;
  /** Whether nodes beyond `limits.planNodes` were left out. */
  isCut: boolean;
  faults: Fault[];
}

/** Reads what can be read, with the faults of all that cannot, so that one refusal names the other faults too. */
export function readPlan(document: unknown): ReadPlan {
  const parsed = header.safeParse(document);
  const faults = parsed.success ? [] : explainIssues(parsed.error.issues, document, planWords);
  const fields = isObject(document) ? document : {};
  const listed: unknown[] = Array.isArray(fields['nodes']) ? (fields['nodes'] as unknown[]) : [];
  if (Array.isArray(fields['nodes']) && listed.length === 0) faults.push(emptyPlan());
  if (listed.length > limits.planNodes) faults.push(tooManyNodes(listed.length));
  const nodes = listed
    .slice(0, limits.planNodes)
    .map((item, index) => readNode(item, index, faults));
  return {
    nodes,
    byId: new Map(
      nodes.toReversed().flatMap((node) => (node.id === undefined ? [] : [[node.id, node]])),
    ),
    header: parsed.success ? parsed.data : undefined,
    budget: plan.shape.budget.safeParse(fields['budget']).data,
    inputs: Object.hasOwn(fields, 'inputs')
      ? plan.shape.inputs.safeParse(fields['inputs']).data
      : {},
    deliverables: plan.shape.deliverables.safeParse(fields['deliverables']).data,
    isCut: listed.length > limits.planNodes,
    faults,
  };
}

function readNode(item: unknown, index: number, faults: Fault[]): ReadNode {
  const parsed = planNode.safeParse(item);
  if (parsed.success) {
    return { index, id: parsed.data.id, node: parsed.data, parts: parsed.data };
  }
  // Not spread: a hostile node can hold more faults than a call takes arguments.
  for (const fault of explainIssues(parsed.error.issues, item, planWords, ['nodes', index]))
    faults.push(fault);
  if (!isObject(item)) return { index, id: undefined, node: undefined, parts: {} };
  const id = Object.hasOwn(item, 'id') ? item['id'] : undefined;
  return {
    index,
    id: typeof id === 'string' ? id : undefined,
    node: undefined,
    parts: salvageNode(item),
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function emptyPlan(): Fault {
  return makeFault(['nodes'], [], {
    code: 'EMPTY_PLAN',
    message: 'the plan has no nodes',
    fix: 'Write at least one node with id, operation and gives.',
  });
}

function tooManyNodes(count: number): Fault {
  return makeFault(['nodes'], count, {
    code: 'OVER_LIMIT',
    message: `the plan has ${String(count)} nodes; planNodes allows ${String(limits.planNodes)}`,
    fix: 'Split the plan into several.',
  });
}
