import { z } from 'zod';
import { actionType, portName, writtenNodeId } from './ids.ts';
import { json, jsonObject } from './json.ts';
import { limits } from './limits.ts';
import { mediaType } from './media-type.ts';

const usd = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,8})(\.[0-9]{1,6})? USD$/, 'is not a sum such as "0.50 USD"')
  .describe('A sum in US dollars, such as "0.50 USD"; at most six decimals.');

/** `item`, `inputs.NAME`, `NODE.OUTPUT`, or `NODE[item].OUTPUT`. */
export const bindingSource = z
  .string()
  .regex(
    /^(item|inputs\.[a-z][a-z0-9_-]{0,39}|[a-z][a-z0-9-]{0,39}(\[item\])?\.[a-z][a-z0-9_-]{0,39})$/,
  )
  .describe(
    'Where the bytes come from: "inputs.NAME" a run input, "NODE.OUTPUT" another node\'s output (a list when that node has for_each), "NODE[item].OUTPUT" the output for the same item, "item" the current item of for_each.',
  );

export const acceptanceCheck = z.discriminatedUnion('check', [
  z
    .strictObject({ check: z.literal('not_empty'), output: portName })
    .describe('The output has at least one byte.'),
  z
    .strictObject({ check: z.literal('json_schema'), output: portName, schema: jsonObject })
    .describe('The output is JSON that fits this JSON Schema (2020-12).'),
  z
    .strictObject({
      check: z.literal('contains'),
      output: portName,
      text: z.string().min(1).max(1000),
    })
    .describe('The output, read as UTF-8, contains this text.'),
]);
export type AcceptanceCheck = z.infer<typeof acceptanceCheck>;

const output = z.union([
  mediaType,
  z.strictObject({
    media_type: mediaType,
    max_bytes: z.int().positive().max(limits.outputBytes).optional(),
    filename: z.string().optional(),
  }),
]);

export const planNode = z.strictObject({
  id: writtenNodeId.describe('Names the node within the plan.'),
  title: z.string().max(200).optional(),
  action: actionType
    .optional()
    .describe('What kind of action it is; EXECUTE unless said otherwise.'),
  operation: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,63}$/)
    .describe('What has to be done; the registry says who can do it.'),
  executors: z
    .array(z.string().min(1).max(80))
    .min(1)
    .optional()
    .describe('Only these executors may do it.'),
  for_each: z
    .union([z.string().regex(/^inputs\.[a-z][a-z0-9_-]{0,39}$/), z.array(json).min(1)])
    .optional()
    .describe(
      'One node an item: of a run input that takes files, or of this list (the item is then params.item).',
    ),
  takes: z.record(portName, bindingSource).optional(),
  gives: z.record(portName, output).describe('Each output with its media type.'),
  params: jsonObject.optional(),
  after: z
    .array(writtenNodeId)
    .optional()
    .describe('Nodes that must be accepted first, beside those it takes from.'),
  contract: z
    .strictObject({
      version: z.int().positive().max(1_000_000).optional(),
      goal: z.string().min(1).max(2000).optional(),
      accept: z.array(acceptanceCheck).max(50).optional(),
    })
    .optional()
    .describe('What the outputs must prove before they are accepted.'),
  priority: z
    .int()
    .min(-100)
    .max(100)
    .optional()
    .describe('Higher goes first; 0 unless said otherwise.'),
  budget: z
    .strictObject({ COMPUTE_COST: usd })
    .optional()
    .describe('The most that one attempt may cost.'),
  timeout_seconds: z.int().positive().max(limits.attemptTimeoutSeconds).optional(),
});

/** A plan as a person writes it, in YAML or JSON. One plan is one graph of nodes with contracts, budget and policy. */
export const plan = z.strictObject({
  windlass: z.literal(1).describe('The version of the plan format.'),
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/),
  description: z.string().max(2000).optional(),
  budget: z
    .strictObject({
      COMPUTE_COST: usd,
      ATTEMPTS: z.int().positive().max(1_000_000),
      WALL_SECONDS: z.int().positive().max(100_000_000),
    })
    .describe('What the whole run may use at most. A plan without a budget is refused.'),
  policy: z
    .strictObject({
      parallelism: z.int().positive().max(limits.runParallelism).optional(),
      max_attempts: z.int().positive().max(limits.actionAttempts).optional(),
      on_failure: z.enum(['stop', 'continue']).optional(),
    })
    .optional(),
  inputs: z
    .record(
      portName,
      z.strictObject({
        kind: z.enum(['file', 'files']),
        description: z.string().max(500).optional(),
        media_types: z.array(mediaType).min(1).optional(),
      }),
    )
    .optional()
    .describe('What the run takes in.'),
  nodes: z.array(planNode),
  deliverables: z
    .array(z.strictObject({ from: bindingSource, filename: z.string().optional() }))
    .optional()
    .describe(
      'Outputs that are the result of the run; every output that no node takes, unless said otherwise.',
    ),
});
export type PlanDocument = z.infer<typeof plan>;
export type PlanNodeDocument = z.infer<typeof planNode>;
