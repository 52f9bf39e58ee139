import type { ExpandedNode, ExpandedPlan } from '../../../schemas/expanded-plan.ts';
import { limits } from '../../../schemas/limits.ts';
import type { Executor } from '../../../schemas/registry.ts';
import { readBudget } from './check-budget.ts';
import { expandNeeds, expandTakes } from './expand-takes.ts';
import { listDeliverables } from './list-deliverables.ts';
import { listNodes, nameDeliverables } from './name-deliverables.ts';
import { parseForEachInput } from './parse-binding-source.ts';
import type { PlanContext, WellFormedNode } from './plan-context.ts';
import { readOutputs } from './read-output.ts';
import { readParams } from './read-params.ts';
import { readSelectable } from './read-selectable.ts';
import type { ReadPlan } from './read-plan.ts';

const defaultMaxAttempts = 3;

/** The plan as it runs. The same document, files, registry and prices give the same plan. All checks have passed. */
export function expandPlan(
  context: PlanContext,
  header: NonNullable<ReadPlan['header']>,
): ExpandedPlan {
  const executors = listExecutors(context);
  const { prices } = context.prices;
  return {
    schemaVersion: 1,
    name: header.name,
    description: header.description ?? '',
    budget: readBudget(header.budget),
    policy: {
      version: 1,
      parallelism: header.policy?.parallelism ?? limits.runParallelism,
      maxAttempts: header.policy?.max_attempts ?? defaultMaxAttempts,
      onFailure: header.policy?.on_failure ?? 'stop',
    },
    registryVersion: context.registry.version,
    priceTableVersion: context.prices.version,
    executors: Object.fromEntries(executors.map((executor) => [executor.id, executor])),
    prices: Object.fromEntries(
      executors.flatMap(({ id }) => {
        const price = Object.hasOwn(prices, id) ? prices[id] : undefined;
        return price === undefined ? [] : [[id, price]];
      }),
    ),
    nodes: context.nodes.flatMap((node) => expandNode(context, node)),
    deliverables: nameDeliverables(context, listDeliverables(context)).deliverables,
  };
}

/** Everything that offers an operation of the plan, so that a choice can say why it passed over the others (E4). */
function listExecutors(context: PlanContext): Executor[] {
  const operations = new Set(context.nodes.map(({ node }) => node.operation));
  return context.registry.executors.filter((executor) =>
    executor.operations.some((operation) => operations.has(operation)),
  );
}

function expandNode(context: PlanContext, written: WellFormedNode): ExpandedNode[] {
  const { node } = written;
  const { actionType, operation, candidates, maxAttemptMicroUsd, timeoutSeconds } = readSelectable(
    context,
    node,
  );
  const gives = readOutputs(node);
  const title = node.title ?? written.id;
  const contract = {
    version: node.contract?.version ?? 1,
    goal: node.contract?.goal ?? title,
    accept: node.contract?.accept ?? [],
  };
  return listNodes(context, { producer: written }).map((id, item) => {
    const takes = expandTakes(context, written, item);
    return {
      id,
      writtenId: written.id,
      title: titleItem(context, written, { title, item }),
      actionType,
      operation,
      candidates: [...candidates],
      takes,
      gives,
      params: readParams(context, node, item),
      needs: expandNeeds(context, written, takes),
      contract,
      priority: node.priority ?? 0,
      maxAttemptMicroUsd,
      timeoutSeconds,
    };
  });
}

/** With the file's name behind it where each item is a file, so that people can tell the nodes apart. */
function titleItem(
  context: PlanContext,
  { node }: WellFormedNode,
  { title, item }: { title: string; item: number },
): string {
  const input = node.for_each === undefined ? undefined : parseForEachInput(node.for_each);
  if (input === undefined) return title;
  const filename = context.files.get(input)?.[item]?.filename ?? String(item + 1);
  return `${title} (${filename})`;
}
