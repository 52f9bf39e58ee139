import { startRunBody } from '../../../schemas/public-api.ts';
import { createPlanAdmission } from '../../dependencies/create-plan-admission.ts';
import { createWorkflows } from '../../dependencies/create-workflows.ts';
import { readIdempotencyKey } from '../../middleware/read-idempotency-key.ts';
import { parsePlanBody } from '../../middleware/parse-plan-body.ts';
import { refusePlan } from '../../middleware/refuse-plan.ts';
import { requireGrant } from '../../middleware/require-grant.ts';
import {
  ProblemError,
  serveRoute,
  type RouteAnswer,
  type RouteCall,
} from '../../middleware/serve-route.ts';
import { startRun } from '../../use-cases/run/start-run.ts';

const controller = {
  ...createPlanAdmission(process.env),
  workflows: createWorkflows(process.env),
};

/** `POST /boards/{board}/runs` */
export const handler = serveRoute(async (call: RouteCall): Promise<RouteAnswer> => {
  const board = await requireGrant(controller.boards, call, 'START');
  const answer = await startRun(controller, {
    board,
    caller: call.principal,
    idempotencyKey: readIdempotencyKey(call),
    body: parsePlanBody(startRunBody, call.body),
  });
  switch (answer.kind) {
    case 'REFUSED':
      throw refusePlan(answer.faults);
    case 'BODY_DIFFERS':
      throw new ProblemError(
        'IDEMPOTENCY_KEY_REUSED',
        `The key belongs to ${answer.runId}; use a new key for another plan.`,
      );
    case 'STARTED':
    case 'REPLAYED':
      return {
        status: answer.kind === 'STARTED' ? 201 : 200,
        body: {
          run_id: answer.runId,
          board,
          status: answer.status,
          plan_sha256: answer.planSha256,
          nodes: answer.nodes,
          replayed: answer.kind === 'REPLAYED',
        },
      };
  }
});
