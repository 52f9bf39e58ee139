import { cancelRunBody } from '../../../schemas/public-api.ts';
import { createStores } from '../../dependencies/create-stores.ts';
import { createWorkflows } from '../../dependencies/create-workflows.ts';
import { requireGrant } from '../../middleware/require-grant.ts';
import {
  parseBody,
  ProblemError,
  serveRoute,
  type RouteAnswer,
  type RouteCall,
} from '../../middleware/serve-route.ts';
import { cancelRun } from '../../use-cases/run/cancel-run.ts';

const controller = { ...createStores(process.env), workflows: createWorkflows(process.env) };

/** `POST /boards/{board}/runs/{run}/cancel` */
export const handler = serveRoute(async (call: RouteCall): Promise<RouteAnswer> => {
  const board = await requireGrant(controller.boards, call, 'CANCEL');
  const body = parseBody(cancelRunBody, call.body ?? {});
  const runId = call.path['run'] ?? '';
  const answer = await cancelRun(controller, {
    board,
    runId,
    by: call.principal,
    cause: body.cause ?? 'cancelled by hand',
  });
  switch (answer.kind) {
    case 'UNKNOWN':
      throw new ProblemError('RUN_UNKNOWN', `There is no run ${runId} on board ${board}.`);
    case 'ENDED':
      if (answer.head.status === 'CANCELLED')
        return { status: 200, body: { run_id: runId, status: 'CANCELLED' } };
      throw new ProblemError(
        'RUN_ENDED',
        `The run has ended as ${answer.head.status}; there is nothing left to cancel.`,
      );
    case 'ACCEPTED':
      return { status: 202, body: { run_id: runId, status: answer.status } };
  }
});
