import { planCheckBody } from '../../../schemas/plan-check-api.ts';
import { createCatalogue } from '../../dependencies/create-catalogue.ts';
import { createStores } from '../../dependencies/create-stores.ts';
import { createParamsCheck } from '../../executors/create-params-check.ts';
import { findSchemaFault } from '../../executors/find-schema-fault.ts';
import { refusePlan } from '../../middleware/refuse-plan.ts';
import { requireGrant } from '../../middleware/require-grant.ts';
import {
  parseBody,
  serveRoute,
  type RouteAnswer,
  type RouteCall,
} from '../../middleware/serve-route.ts';
import { checkPlan } from '../../use-cases/run/check-plan.ts';

const catalogue = createCatalogue(process.env);
const controller = {
  ...catalogue,
  checkParams: createParamsCheck(catalogue.registry),
  findSchemaFault,
  ...createStores(process.env),
};

/** `POST /boards/{board}/plan-checks`. What a plan takes is told to who may start it, and to nobody else. */
export const handler = serveRoute(async (call: RouteCall): Promise<RouteAnswer> => {
  const board = await requireGrant(controller.boards, call, 'START');
  const checked = await checkPlan(controller, board, parseBody(planCheckBody, call.body));
  if (checked.kind === 'REFUSED') throw refusePlan(checked.faults);
  return { status: 200, body: { board, ...checked.answer } };
});
