import { z } from 'zod';
import { attemptId, boardName, runId } from '../../../schemas/ids.ts';
import { createStores } from '../../dependencies/create-stores.ts';
import { registryOfFunctions } from '../../executors/registry-of-functions.ts';
import { serveEvent } from '../../middleware/serve-event.ts';
import { runFunction } from '../../use-cases/attempt/run-function.ts';

const { attempts, artifacts, documents, clock } = createStores(process.env);

export const handler = serveEvent(z.strictObject({ attemptId, runId, board: boardName }), (call) =>
  runFunction(
    {
      attempts,
      artifacts,
      documents,
      clock,
      findFunction: (operation) => registryOfFunctions.get(operation),
    },
    call,
  ),
);
