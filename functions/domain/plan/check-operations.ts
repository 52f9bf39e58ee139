import type { Fault } from '../../../schemas/problem.ts';
import type { Executor } from '../../../schemas/registry.ts';
import { findObstacle, type PassedOverReason } from '../selection/find-obstacle.ts';
import { makeFault } from '../../../schemas/make-fault.ts';
import type { PlanContext, WellFormedNode } from './plan-context.ts';
import type { ReadNode } from './read-plan.ts';
import { readSelectable } from './read-selectable.ts';

/** UNKNOWN_OPERATION, UNKNOWN_EXECUTOR, UNPRICED_EXECUTOR (p24), EXECUTOR_CANNOT, EXECUTOR_UNVERIFIED (E99). */
export function checkOperations(context: PlanContext): Fault[] {
  const known = new Map(context.registry.executors.map((executor) => [executor.id, executor]));
  const names = context.read.nodes.flatMap((node) => [
    ...checkOperation(context, node),
    ...checkNames(context, node, known),
  ]);
  const abilities = context.nodes.flatMap((node) => {
    const offered = context.executorsOf.get(node.node.operation);
    if (offered === undefined) return [];
    if (node.node.executors === undefined) return checkOffered(context, node, offered);
    return checkNamed(context, node, known);
  });
  return [...names, ...abilities];
}

function checkNames(
  context: PlanContext,
  { index, parts }: ReadNode,
  known: ReadonlyMap<string, Executor>,
): Fault[] {
  return (parts.executors ?? []).flatMap((id, place) =>
    known.has(id)
      ? []
      : [
          makeFault(['nodes', index, 'executors', place], id, {
            code: 'UNKNOWN_EXECUTOR',
            message: `the registry has no executor "${id}"`,
            fix: `Write one of ${[...known.keys()].slice(0, 20).join(', ')}${context.suggest(id, known.keys())}`,
          }),
        ],
  );
}

function checkNamed(
  context: PlanContext,
  { index, node }: WellFormedNode,
  known: ReadonlyMap<string, Executor>,
): Fault[] {
  return (node.executors ?? []).flatMap((id, place) => {
    const executor = known.get(id);
    if (executor === undefined) return [];
    const obstacle = findLastingObstacle(context, node, executor);
    if (obstacle === undefined) return [];
    return [makeFault(['nodes', index, 'executors', place], id, explain(executor, obstacle))];
  });
}

/** Without names one that can do it is enough; if none can, each says why. */
function checkOffered(
  context: PlanContext,
  { index, node }: WellFormedNode,
  offered: readonly Executor[],
): Fault[] {
  const faults: Fault[] = [];
  for (const executor of offered) {
    const obstacle = findLastingObstacle(context, node, executor);
    if (obstacle === undefined) return [];
    const path = ['nodes', index, 'operation'];
    faults.push(makeFault(path, node.operation, explain(executor, obstacle)));
  }
  return faults;
}

/** What no change of the budget mends. */
function findLastingObstacle(
  context: PlanContext,
  node: WellFormedNode['node'],
  executor: Executor,
): PassedOverReason | undefined {
  const selectable = { ...readSelectable(context, node), maxAttemptMicroUsd: null };
  const { prices } = context.prices;
  const price = Object.hasOwn(prices, executor.id) ? prices[executor.id] : undefined;
  const obstacle = findObstacle(selectable, executor, price);
  if (obstacle !== 'NOT_THESE_OUTPUTS') return obstacle;
  // Which output it is that does not fit is told by the check of signatures; what else stands against it is told here.
  return findObstacle({ ...selectable, gives: {} }, executor, price);
}

function explain(
  executor: Executor,
  obstacle: PassedOverReason,
): { code: string; message: string; fix: string } {
  const { id } = executor;
  switch (obstacle) {
    case 'UNPRICED':
      return {
        code: 'UNPRICED_EXECUTOR',
        message: `executor "${id}" has no price`,
        fix: 'Add its price to the price table, or let another executor do the node.',
      };
    case 'UNVERIFIED':
      return {
        code: 'EXECUTOR_UNVERIFIED',
        message: `executor "${id}" has no digest of what was built and verified`,
        fix: 'Build its environment (npm run build) and deploy again, or let another executor do the node.',
      };
    case 'NOT_THESE_OUTPUTS':
    case 'NOT_THIS_ACTION':
    case 'EXCLUDED_BY_CONTRACT':
    case 'OVER_NODE_BUDGET':
      return {
        code: 'EXECUTOR_CANNOT',
        message: `executor "${id}" does not do this operation and action`,
        fix: `Write operation: ${executor.operations.join(' or ')} and action: ${executor.actionTypes.join(' or ')}, or let another executor do the node.`,
      };
  }
}

function checkOperation(context: PlanContext, { index, parts }: ReadNode): Fault[] {
  const { operation } = parts;
  if (operation === undefined || context.executorsOf.has(operation)) return [];
  return [
    makeFault(['nodes', index, 'operation'], operation, {
      code: 'UNKNOWN_OPERATION',
      message: `no registered executor does "${operation}"`,
      fix: `Write one of ${[...context.executorsOf.keys()].slice(0, 20).join(', ')}${context.suggest(operation, context.executorsOf.keys())}`,
    }),
  ];
}
