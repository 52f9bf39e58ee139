import { z } from 'zod';
import { actionType, portName, sha256Hex } from './ids.ts';
import { jsonObject } from './json.ts';
import { mediaType } from './media-type.ts';
import { amount } from './money.ts';

/** The six levels of E1, lowest first. */
export const executorLevel = z.union([
  z.literal(1),
  z.literal(2),
  z.literal(3),
  z.literal(4),
  z.literal(5),
  z.literal(6),
]);
export type ExecutorLevel = z.infer<typeof executorLevel>;

/** How an attempt runs; each kind has an attempt workflow of its own. */
export const executorKind = z.enum(['function', 'fargate']);
export type ExecutorKind = z.infer<typeof executorKind>;

/** A level-2 tool is a tool only with this record (E99). */
export const toolVerification = z.strictObject({
  toolSha256: sha256Hex,
  evidence: z.string().min(1),
  verifiedOn: z.iso.date(),
});

const executorCommon = {
  /** Also the `executor_version` of a response: `id@version`. */
  id: z.string().regex(/^[a-z][a-z0-9-]{0,63}$/),
  version: z.string().regex(/^[0-9]+\.[0-9]+\.[0-9]+$/),
  operations: z.array(z.string().regex(/^[a-z][a-z0-9-]{0,63}$/)).min(1),
  actionTypes: z.array(actionType).min(1),
  /** Media types that it may produce (E30). */
  outputMediaTypes: z.array(mediaType).min(1),
  description: z.string().min(1),
};

export const functionExecutor = z.strictObject({
  ...executorCommon,
  kind: z.literal('function'),
  level: z.literal(1),
  /**
   * Whether one call may run several of its attempts: for a function that takes milliseconds, where starting a workflow
   * and two Lambda calls cost more than the work. Absent: never.
   */
  isGroupable: z.boolean().optional(),
});

export const fargateExecutor = z.strictObject({
  ...executorCommon,
  kind: z.literal('fargate'),
  level: z.literal(2),
  environment: z.string().regex(/^[a-z][a-z0-9-]{0,63}$/),
  /** SHA-256 of the environment version, filled in when it is built; requests pin it (E57). */
  environmentDigest: sha256Hex,
  /** The command ids it runs, in order; the environment fixes their argv (E56). */
  commands: z.array(z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/)).min(1),
  verification: toolVerification,
});

export const executor = z.discriminatedUnion('kind', [functionExecutor, fargateExecutor]);
export type Executor = z.infer<typeof executor>;
export type FunctionExecutor = z.infer<typeof functionExecutor>;
export type FargateExecutor = z.infer<typeof fargateExecutor>;

/** `id@version` as a response names it (E70). */
export function renderExecutorVersion(entry: { id: string; version: string }): string {
  return `${entry.id}@${entry.version}`;
}

/** Micro-USD for each start, and for each hour of wall time while an attempt runs. */
export const executorPrice = z.strictObject({ perStartMicroUsd: amount, perHourMicroUsd: amount });
export type ExecutorPrice = z.infer<typeof executorPrice>;

export const priceTable = z.strictObject({
  version: z.int().positive(),
  /** Where the figures come from. */
  source: z.string().min(1),
  prices: z.record(z.string(), executorPrice),
});
export type PriceTable = z.infer<typeof priceTable>;

/** A media type, or all of one kind: `text/*`, `application/*+json`. */
export const mediaTypePattern = z.string().regex(/^[a-z]+\/(\*|\*\+[a-z]+|[a-z0-9][a-z0-9.+-]*)$/);

/** What may be bound to an input. A list is what `for_each` and inputs of kind `files` give, however many are in it. */
export const inputPort = z.strictObject({
  takes: z.enum(['ONE', 'LIST', 'EITHER']),
  mediaTypes: z.array(mediaTypePattern).min(1),
});
export type InputPort = z.infer<typeof inputPort>;

/**
 * What a node has to hand over to its executor and may ask of it. A plan whose node does not fit is refused when it is
 * submitted, because its attempts could only fail.
 */
export const executorSignature = z.strictObject({
  inputs: z.discriminatedUnion('names', [
    /** Inputs of these names only. */
    z.strictObject({
      names: z.literal('FIXED'),
      ports: z.record(portName, inputPort.extend({ required: z.boolean() })),
    }),
    /** As many as the plan likes, within the bounds, called as it likes. */
    z.strictObject({
      names: z.literal('FREE'),
      port: inputPort,
      least: z.int().nonnegative(),
      most: z.int().positive().nullable(),
    }),
  ]),
  outputs: z.discriminatedUnion('names', [
    /** Any of these, each of its own media type. */
    z.strictObject({ names: z.literal('FIXED'), ports: z.record(portName, mediaType) }),
    /** Exactly one, called as the plan likes, of a media type that the executor may produce. */
    z.strictObject({ names: z.literal('FREE') }),
  ]),
  /** JSON Schema of the params; null where the code of a function checks them itself. */
  params: jsonObject.nullable(),
  /** Whether it reads the item of a `for_each` over a list as `params.item`; for others `{{item}}` stands for it. */
  readsItem: z.boolean(),
});
export type ExecutorSignature = z.infer<typeof executorSignature>;

/** Who can do what. Versioned; validated when it is deployed. */
export const registry = z.strictObject({
  version: z.int().positive(),
  executors: z.array(executor),
  /** By executor id. Runs do not need them: a plan that is admitted fits. */
  signatures: z.record(z.string(), executorSignature),
});
export type Registry = z.infer<typeof registry>;
