import { planCheckBody } from '../../../schemas/plan-check-api.ts';
import { createPlanAdmission } from '../../dependencies/create-plan-admission.ts';
import { parsePlanBody } from '../../middleware/parse-plan-body.ts';
import { refusePlan } from '../../middleware/refuse-plan.ts';
import { requireGrant } from '../../middleware/require-grant.ts';
import { serveRoute, type RouteAnswer, type RouteCall } from '../../middleware/serve-route.ts';
import { checkPlan } from '../../use-cases/run/check-plan.ts';

const controller = createPlanAdmission(process.env);

/** `POST /boards/{board}/plan-checks`. What a plan takes is told to who may start it, and to nobody else. */
export const handler = serveRoute(async (call: RouteCall): Promise<RouteAnswer> => {
  const board = await requireGrant(controller.boards, call, 'START');
  const checked = await checkPlan(controller, board, parsePlanBody(planCheckBody, call.body));
  if (checked.kind === 'REFUSED') throw refusePlan(checked.faults);
  return { status: 200, body: { board, ...checked.answer } };
});
