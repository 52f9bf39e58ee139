import { z } from 'zod';
import { attemptId } from '../../../schemas/ids.ts';
import { createFargate } from '../../dependencies/create-fargate.ts';
import { createStores } from '../../dependencies/create-stores.ts';
import { createTokenKeys } from '../../dependencies/create-token-keys.ts';
import { createWorkflows } from '../../dependencies/create-workflows.ts';
import { describeError, serveEvent } from '../../middleware/serve-event.ts';
import { logger } from '../../middleware/logger.ts';
import { launchAttempt } from '../../use-cases/attempt/launch-attempt.ts';

const { attempts, stopOrders, clock } = createStores(process.env);
const workflows = createWorkflows(process.env);
const dependencies = {
  attempts,
  stopOrders,
  clock,
  workflows,
  fargate: createFargate(process.env),
  tokenKeys: createTokenKeys(process.env),
};

/** It waits behind a task token, so it answers that token with what it would throw. */
export const handler = serveEvent(
  z.strictObject({ attemptId, taskToken: z.string().min(1) }),
  async (call) => {
    try {
      return await launchAttempt(dependencies, call);
    } catch (error) {
      const name = error instanceof Error ? error.name : 'UnknownError';
      logger.error('launch failed', {
        attemptId: call.attemptId,
        errorName: name,
        errorText: describeError(error),
      });
      await workflows.failToken(call.taskToken, name, 'see the log of launch-attempt');
      return { kind: 'FAILED' as const };
    }
  },
);
