import { limits } from '../../../schemas/limits.ts';
import type { Executor } from '../../../schemas/registry.ts';
import type { RunDraft } from './run-draft.ts';
import type { NodeState } from './run-state.ts';

/**
 * The group in which a new attempt runs, named by its first attempt; undefined when it runs alone or is the first. Only
 * first tries of quick functions with the same time-out share an execution, so that what broke a group meets no second
 * one.
 */
export function chooseGroup(
  draft: RunDraft,
  { node, executor, attemptId }: { node: NodeState; executor: Executor; attemptId: string },
): string | undefined {
  const { timeoutSeconds } = node.plan;
  const isGroupable = executor.kind === 'function' && executor.isGroupable === true;
  const isShort = timeoutSeconds < 2 * limits.groupTimeoutSeconds;
  if (!isGroupable || isShort || node.attempts.length > 0) return undefined;
  const open = draft.openGroup;
  if (open?.timeoutSeconds === timeoutSeconds && open.size < limits.groupAttempts) {
    open.size += 1;
    return open.first;
  }
  draft.openGroup = { first: attemptId, timeoutSeconds, size: 1 };
  return undefined;
}
