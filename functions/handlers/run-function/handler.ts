import { z } from 'zod';
import { attemptId } from '../../../schemas/ids.ts';
import { createStores } from '../../dependencies/create-stores.ts';
import { registryOfFunctions } from '../../executors/registry-of-functions.ts';
import { serveEvent } from '../../middleware/serve-event.ts';
import { runFunction } from '../../use-cases/attempt/run-function.ts';

const { attempts, stopOrders, artifacts, documents, clock } = createStores(process.env);

export const handler = serveEvent(z.strictObject({ attemptId }), (call) =>
  runFunction(
    {
      attempts,
      stopOrders,
      artifacts,
      documents,
      clock,
      findFunction: (operation) => registryOfFunctions.get(operation),
    },
    call,
  ),
);
