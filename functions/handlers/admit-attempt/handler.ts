import { z } from 'zod';
import { functionAnswer } from '../../../schemas/function-answer.ts';
import { attemptId, boardName, runId } from '../../../schemas/ids.ts';
import { createAdmission } from '../../dependencies/create-admission.ts';
import { serveEvent } from '../../middleware/serve-event.ts';
import { admitAttempt } from '../../use-cases/attempt/admit-attempt.ts';

const dependencies = createAdmission(process.env);

export const handler = serveEvent(
  z.strictObject({ attemptId, runId, board: boardName, returned: functionAnswer.optional() }),
  async (call) => {
    const answer = await admitAttempt(dependencies, call);
    return answer.kind === 'SETTLED'
      ? { attemptId: call.attemptId, end: answer.outcome.end }
      : { attemptId: call.attemptId, end: null };
  },
);
