import { z } from 'zod';
import { artifact } from './artifact.ts';
import { digestCanonical } from './digest.ts';
import { actionType, nodeId, portName, writtenNodeId } from './ids.ts';
import { jsonObject } from './json.ts';
import { mediaType } from './media-type.ts';
import { amount, amounts } from './money.ts';
import { acceptanceCheck } from './plan.ts';
import { executor, executorPrice } from './registry.ts';

/** What a node takes: a run input (one file or all of them), or outputs of other nodes. */
export const binding = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('input'), artifacts: z.array(artifact), list: z.boolean() }),
  z.strictObject({
    kind: z.literal('output'),
    nodes: z.array(nodeId).min(1),
    output: portName,
    list: z.boolean(),
  }),
]);
export type Binding = z.infer<typeof binding>;

export const nodeContract = z.strictObject({
  version: z.int().positive(),
  goal: z.string(),
  accept: z.array(acceptanceCheck),
});

export const expandedNode = z.strictObject({
  id: nodeId,
  /** The id as written; the same for all that one `for_each` makes. */
  writtenId: writtenNodeId,
  title: z.string(),
  actionType,
  operation: z.string(),
  /** Ids of executors that may do it, in the order of the registry; never empty. */
  candidates: z.array(z.string()).min(1),
  takes: z.record(portName, binding),
  gives: z.record(
    portName,
    z.strictObject({ mediaType, maxBytes: z.int().positive(), filename: z.string().nullable() }),
  ),
  params: jsonObject,
  /** Every node that must be accepted first, sorted: those it takes from and those named in `after`. */
  needs: z.array(nodeId),
  contract: nodeContract,
  priority: z.int(),
  /** The most one attempt may cost in micro-USD; null when only the run's budget bounds it. */
  maxAttemptMicroUsd: amount.nullable(),
  timeoutSeconds: z.int().positive(),
});
export type ExpandedNode = z.infer<typeof expandedNode>;

export const deliverable = z.strictObject({ node: nodeId, output: portName, filename: z.string() });
export type Deliverable = z.infer<typeof deliverable>;

/**
 * An admitted plan with every `for_each` expanded, every input resolved to exact versions, and the executors and prices
 * it may use pinned, so that a later deployment changes nothing about a run that goes on.
 */
export const expandedPlan = z.strictObject({
  schemaVersion: z.literal(1),
  name: z.string(),
  description: z.string(),
  budget: amounts,
  policy: z.strictObject({
    version: z.literal(1),
    parallelism: z.int().positive(),
    maxAttempts: z.int().positive(),
    onFailure: z.enum(['stop', 'continue']),
  }),
  registryVersion: z.int().positive(),
  priceTableVersion: z.int().positive(),
  executors: z.record(z.string(), executor),
  prices: z.record(z.string(), executorPrice),
  nodes: z.array(expandedNode).min(1),
  deliverables: z.array(deliverable),
});
export type ExpandedPlan = z.infer<typeof expandedPlan>;

/** The stored form: canonical JSON of the encoded plan. */
export function encodePlan(plan: ExpandedPlan): z.input<typeof expandedPlan> {
  return z.encode(expandedPlan, plan);
}

/** The identity of a plan: SHA-256 of its canonical JSON. */
export function digestPlan(plan: ExpandedPlan): string {
  return digestCanonical(encodePlan(plan));
}
