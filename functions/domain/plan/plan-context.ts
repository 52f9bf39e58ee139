import type { Artifact } from '../../../schemas/artifact.ts';
import type { JsonObject } from '../../../schemas/json.ts';
import type { PlanNodeDocument } from '../../../schemas/plan.ts';
import type { Fault } from '../../../schemas/problem.ts';
import type {
  Executor,
  ExecutorSignature,
  PriceTable,
  Registry,
} from '../../../schemas/registry.ts';
import { parseForEachInput } from './parse-binding-source.ts';
import { suggestName } from '../../../schemas/suggest-name.ts';
import type { ReadNode, ReadPlan } from './read-plan.ts';

export interface PlanSubmission {
  /** The plan as it was parsed from YAML or JSON; nothing of it is trusted. */
  document: unknown;
  registry: Registry;
  prices: PriceTable;
  /** The run's files by input name; a list for an input of kind `files`. */
  inputs: Readonly<Record<string, Artifact | Artifact[]>>;
  /** Faults of a node's params, each with its path in them; their executor knows. */
  checkParams?: (call: {
    executor: string;
    operation: string;
    params: JsonObject;
    inputs: readonly string[];
  }) => Fault[];
  /** Why a JSON Schema of a contract cannot be used, as a clause; undefined when it can. */
  findSchemaFault?: (schema: JsonObject) => string | undefined;
  /** Under which name the caller hands the run's files in; faults of theirs are found there. */
  inputsField?: 'inputs' | 'run_inputs';
}

/** A node that has an id, as far as its shape is right. */
export interface LinkedNode extends ReadNode {
  id: string;
}

/** A node whose shape is right. */
export interface WellFormedNode extends LinkedNode {
  node: PlanNodeDocument;
}

/** All that the checks of a plan look at. */
export interface PlanContext extends PlanSubmission {
  read: ReadPlan;
  /** The nodes whose shape is right, in the order of the plan. */
  nodes: readonly WellFormedNode[];
  /** Every node that has an id, in the order of the plan. */
  linked: readonly LinkedNode[];
  /** The run's files, each input as a list. */
  files: ReadonlyMap<string, readonly Artifact[]>;
  /** Operation → executors that offer it, in the order of the registry. */
  executorsOf: ReadonlyMap<string, readonly Executor[]>;
  /** What an executor takes and gives; undefined when the registry says nothing of it. */
  signatureOf: (executor: string) => ExecutorSignature | undefined;
  /** `suggestName`, for the first faults only: among ten thousand names each search costs milliseconds. */
  suggest: (name: string, known: Iterable<string>) => string;
}

const suggestionsAtMost = 30;

export function composeContext(submission: PlanSubmission, read: ReadPlan): PlanContext {
  const executorsOf = new Map<string, Executor[]>();
  for (const executor of submission.registry.executors) {
    for (const operation of executor.operations) {
      const offered = executorsOf.get(operation);
      if (offered === undefined) executorsOf.set(operation, [executor]);
      else offered.push(executor);
    }
  }
  const { signatures } = submission.registry;
  let suggestions = 0;
  const files = Object.entries(submission.inputs).map(
    ([name, given]) => [name, Array.isArray(given) ? given : [given]] as const,
  );
  return {
    ...submission,
    read,
    nodes: read.nodes.filter((node): node is WellFormedNode => node.node !== undefined),
    linked: read.nodes.filter((node): node is LinkedNode => node.id !== undefined),
    files: new Map(files),
    executorsOf,
    signatureOf: (executor) =>
      Object.hasOwn(signatures, executor) ? signatures[executor] : undefined,
    suggest: (name, known) => {
      suggestions += 1;
      return suggestions <= suggestionsAtMost ? suggestName(name, known) : '.';
    },
  };
}

/** How many nodes a written node becomes. */
export function countItems(context: PlanContext, node: Pick<PlanNodeDocument, 'for_each'>): number {
  if (node.for_each === undefined) return 1;
  if (Array.isArray(node.for_each)) return node.for_each.length;
  const input = parseForEachInput(node.for_each);
  return input === undefined ? 0 : (context.files.get(input)?.length ?? 0);
}
