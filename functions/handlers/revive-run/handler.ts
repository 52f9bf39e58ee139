import { z } from 'zod';
import { createStores } from '../../dependencies/create-stores.ts';
import { createWorkflows } from '../../dependencies/create-workflows.ts';
import { serveEvent } from '../../middleware/serve-event.ts';
import { reviveRun } from '../../use-cases/run/revive-run.ts';

const controller = { ...createStores(process.env), workflows: createWorkflows(process.env) };

/** "Step Functions Execution Status Change" of the run workflow; the execution is named `<run id>-g<generation>`. */
const statusChange = z.object({
  detail: z.object({
    name: z.string().regex(/^run_[0-9A-HJKMNP-TV-Z]{26}-g[0-9]+$/),
  }),
});

export const handler = serveEvent(statusChange, async ({ detail }) => {
  const [runId = '', generation = ''] = detail.name.split('-g');
  const answer = await reviveRun(controller, { runId, generation: Number(generation) });
  return { answer };
});
