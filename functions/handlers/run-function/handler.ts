import { z } from 'zod';
import { attemptGroup } from '../../../schemas/group-answer.ts';
import { attemptId, boardName, runId } from '../../../schemas/ids.ts';
import { createStores } from '../../dependencies/create-stores.ts';
import { registryOfFunctions } from '../../executors/registry-of-functions.ts';
import { reportFault } from '../../middleware/report-fault.ts';
import { serveEvent } from '../../middleware/serve-event.ts';
import { runFunction } from '../../use-cases/attempt/run-function.ts';
import { runGroup } from '../../use-cases/attempt/run-group.ts';

const { attempts, artifacts, documents, clock } = createStores(process.env);
const dependencies = {
  attempts,
  artifacts,
  documents,
  clock,
  reportFault,
  findFunction: (operation: string) => registryOfFunctions.get(operation),
};

/** One attempt, or a group of them. */
const runEvent = z.union([z.strictObject({ attemptId, runId, board: boardName }), attemptGroup]);

export const handler = serveEvent(runEvent, async (call) =>
  'attemptIds' in call ? runGroup(dependencies, call) : runFunction(dependencies, call),
);
