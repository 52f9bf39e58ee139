import { z } from 'zod';
import { attemptId } from '../../../schemas/ids.ts';
import { createAdmission } from '../../dependencies/create-admission.ts';
import { createFargate } from '../../dependencies/create-fargate.ts';
import { serveEvent } from '../../middleware/serve-event.ts';
import { closeAttempt } from '../../use-cases/attempt/close-attempt.ts';

const dependencies = {
  ...createAdmission(process.env),
  fargate: createFargate(process.env),
};

/** The attempt's own workflow says `error`; everybody else says `cause`. */
const closeEvent = z.union([
  z.strictObject({ attemptId, error: z.string() }),
  z.strictObject({ attemptId, cause: z.string(), isGroupEnded: z.boolean().optional() }),
]);

export const handler = serveEvent(closeEvent, async (call) => {
  const fromOwnWorkflow = 'error' in call;
  const answer = await closeAttempt(dependencies, {
    attemptId: call.attemptId,
    cause: fromOwnWorkflow ? call.error : call.cause,
    fromOwnWorkflow,
    isGroupEnded: 'cause' in call && call.isGroupEnded === true,
  });
  return { closed: answer.closed };
});
