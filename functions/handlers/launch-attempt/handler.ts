import { z } from 'zod';
import { attemptId } from '../../../schemas/ids.ts';
import { createFargate } from '../../dependencies/create-fargate.ts';
import { createStores } from '../../dependencies/create-stores.ts';
import { createTokenKeys } from '../../dependencies/create-token-keys.ts';
import { createWorkflows } from '../../dependencies/create-workflows.ts';
import { failOwnToken } from '../../middleware/fail-own-token.ts';
import { serveEvent } from '../../middleware/serve-event.ts';
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

export const handler = serveEvent(
  z.strictObject({ attemptId, taskToken: z.string().min(1) }),
  async (call) => {
    try {
      return await launchAttempt(dependencies, call);
    } catch (error) {
      await failOwnToken(workflows, call.taskToken, {
        error,
        what: 'launch failed',
        source: 'launch-attempt',
        ids: { attemptId: call.attemptId },
      });
      return { kind: 'FAILED' as const };
    }
  },
);
