import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { boardName, runId } from '../../../schemas/ids.ts';
import { createStores } from '../../dependencies/create-stores.ts';
import { createWorkflows } from '../../dependencies/create-workflows.ts';
import { createTokenKeys } from '../../dependencies/create-token-keys.ts';
import { failOwnToken } from '../../middleware/fail-own-token.ts';
import { serveEvent } from '../../middleware/serve-event.ts';
import { driveRun, type DriveMemory } from '../../use-cases/run/drive-run.ts';

const controller = {
  ...createStores(process.env),
  workflows: createWorkflows(process.env),
  tokenKeys: createTokenKeys(process.env),
};
const memory: DriveMemory = new Map();

const driveEvent = z.strictObject({
  runId,
  board: boardName,
  generation: z.int().positive(),
  call: z.int().positive(),
  taskToken: z.string().min(1),
});

export const handler = serveEvent(driveEvent, async (event) => {
  const { workflows } = controller;
  try {
    const answer = await driveRun(
      {
        ...controller,
        pause: async (milliseconds) => {
          await pause(milliseconds);
        },
        memory,
      },
      event,
    );
    if (answer !== 'PARKED') await workflows.answerToken(event.taskToken, { next: answer });
    return { answer };
  } catch (error) {
    await failOwnToken(workflows, event.taskToken, {
      error,
      what: 'drive failed',
      source: 'reduce-run',
      ids: { runId: event.runId, call: event.call },
    });
    return { answer: 'FAILED' };
  }
});
