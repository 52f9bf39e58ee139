import { z } from 'zod';
import { createController } from '../../dependencies/create-controller.ts';
import { logger } from '../../middleware/logger.ts';
import { serveEvent } from '../../middleware/serve-event.ts';
import { sweep } from '../../use-cases/run/sweep.ts';

const controller = createController(process.env);

export const handler = serveEvent(z.unknown(), async () => {
  const findings = await sweep({
    runLog: controller.runLog,
    inbox: controller.inbox,
    park: controller.park,
    stopOrders: controller.stopOrders,
    workflows: controller.workflows,
    runIndex: controller.runIndex,
    attempts: controller.attempts,
    fargate: controller.fargate,
    clock: controller.clock,
    ids: controller.ids,
  });
  logger.info('swept', { ...findings });
  return findings;
});
