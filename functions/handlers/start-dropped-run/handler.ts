import { z } from 'zod';
import { createPlanAdmission } from '../../dependencies/create-plan-admission.ts';
import { createWorkflows } from '../../dependencies/create-workflows.ts';
import { createPlanDrops } from '../../dependencies/create-plan-drops.ts';
import { serveEvent } from '../../middleware/serve-event.ts';
import { startDroppedRun } from '../../use-cases/run/start-dropped-run.ts';

const controller = {
  ...createPlanAdmission(process.env),
  workflows: createWorkflows(process.env),
  drops: createPlanDrops(process.env),
};

/** "Object Created" of S3 by way of EventBridge: the key is not URL-encoded there, so it is taken as it is (p6). */
const objectCreated = z.object({
  detail: z.object({
    bucket: z.object({ name: z.string() }),
    object: z.object({ key: z.string(), 'version-id': z.string() }),
  }),
});

export const handler = serveEvent(objectCreated, async ({ detail }) => {
  const answer = await startDroppedRun(controller, {
    bucket: detail.bucket.name,
    key: detail.object.key,
    versionId: detail.object['version-id'],
  });
  return { kind: answer.kind };
});
