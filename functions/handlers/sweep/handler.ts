import { z } from 'zod';
import { createStores } from '../../dependencies/create-stores.ts';
import { createWorkflows } from '../../dependencies/create-workflows.ts';
import { createFargate } from '../../dependencies/create-fargate.ts';
import { logger } from '../../middleware/logger.ts';
import { serveEvent } from '../../middleware/serve-event.ts';
import { sweep } from '../../use-cases/run/sweep.ts';

const controller = {
  ...createStores(process.env),
  workflows: createWorkflows(process.env),
  fargate: createFargate(process.env),
};

export const handler = serveEvent(z.unknown(), async () => {
  const findings = await sweep(controller);
  logger.info('swept', { ...findings });
  return findings;
});
