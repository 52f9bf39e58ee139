import type { WorkflowEngine } from '../ports/workflow-engine.ts';
import { describeError } from './describe-error.ts';
import { logger } from './logger.ts';

/**
 * For a Lambda behind a task token: one that throws leaves its state waiting until the time-out, so it fails its own
 * token by a name that Step Functions matches. The cause in the history only says where the words are (p52).
 */
export async function failOwnToken(
  workflows: Pick<WorkflowEngine, 'failToken'>,
  taskToken: string,
  failure: { error: unknown; what: string; source: string; ids: Record<string, string | number> },
): Promise<void> {
  const { error, what, source, ids } = failure;
  const described = describeError(error);
  logger.error(what, { ...ids, ...described });
  await workflows.failToken(taskToken, described.errorName, `see the log of ${source}`);
}
