import { z } from 'zod';
import { functionAnswer } from '../../../schemas/function-answer.ts';
import { attemptGroup, groupAnswer } from '../../../schemas/group-answer.ts';
import { attemptId, boardName, runId } from '../../../schemas/ids.ts';
import { createAdmission } from '../../dependencies/create-admission.ts';
import { reportFault } from '../../middleware/report-fault.ts';
import { serveEvent } from '../../middleware/serve-event.ts';
import { admitAttempt } from '../../use-cases/attempt/admit-attempt.ts';
import { admitGroup } from '../../use-cases/attempt/admit-group.ts';

const dependencies = { ...createAdmission(process.env), reportFault };

/** One attempt with what it returned, or a group of them. */
const admitEvent = z.union([
  z.strictObject({ attemptId, runId, board: boardName, returned: functionAnswer.optional() }),
  z.strictObject({ ...attemptGroup.shape, ...groupAnswer.shape }),
]);

export const handler = serveEvent(admitEvent, async (call) => {
  if ('attemptIds' in call) return admitGroup(dependencies, call);
  const answer = await admitAttempt(dependencies, call);
  const end = answer.kind === 'SETTLED' ? answer.outcome.end : null;
  return { attemptId: call.attemptId, end };
});
