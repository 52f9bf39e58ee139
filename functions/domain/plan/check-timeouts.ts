import { limits } from '../../../schemas/limits.ts';
import { makeFault } from '../../../schemas/make-fault.ts';
import type { Fault } from '../../../schemas/problem.ts';
import { chooseExecutor } from '../selection/choose-executor.ts';
import type { PlanContext } from './plan-context.ts';
import { readSelectable } from './read-selectable.ts';

/** OVER_LIMIT: functionTimeoutSeconds. A function's Lambda ends before a longer time-out could be reached. */
export function checkTimeouts(context: PlanContext): Fault[] {
  return context.nodes.flatMap(({ index, node }) => {
    const seconds = node.timeout_seconds;
    if (seconds === undefined || seconds <= limits.functionTimeoutSeconds) return [];
    const offered = context.executorsOf.get(node.operation) ?? [];
    const selectable = { ...readSelectable(context, node), maxAttemptMicroUsd: null };
    const { executor } = chooseExecutor(selectable, offered, context.prices.prices);
    if (executor?.kind !== 'function') return [];
    return [
      makeFault(['nodes', index, 'timeout_seconds'], seconds, {
        code: 'OVER_LIMIT',
        message: `"${node.operation}" runs as a function, and timeout_seconds is above functionTimeoutSeconds (${String(limits.functionTimeoutSeconds)})`,
        fix: `Write at most ${String(limits.functionTimeoutSeconds)}, and split the work if it takes longer.`,
      }),
    ];
  });
}
