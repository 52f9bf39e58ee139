import { createStores } from '../../dependencies/create-stores.ts';
import { requireGrant } from '../../middleware/require-grant.ts';
import {
  ProblemError,
  serveRoute,
  type RouteAnswer,
  type RouteCall,
} from '../../middleware/serve-route.ts';
import type { RunHead } from '../../ports/run-log.ts';
import {
  findRun,
  hintNode,
  listDeliverables,
  listEvents,
  listRuns,
  showNode,
  showRun,
  type ShowRunDependencies,
} from '../../use-cases/run/show-run.ts';

const controller = { ...createStores(process.env) };
const runRoute = 'GET /boards/{board}/runs/{run}';
const pageRuns = 50;

/** Everything that reads a run: `GET /boards/{board}/runs…` */
export const handler = serveRoute(async (call: RouteCall): Promise<RouteAnswer> => {
  const board = await requireGrant(controller.boards, call, 'READ');
  const { runLog, runIndex, documents, artifacts } = controller;
  const dependencies: ShowRunDependencies = { runLog, runIndex, documents, artifacts };
  if (call.route === 'GET /boards/{board}/runs') {
    const page = { limit: pageRuns, before: call.query['before'] || null };
    return { status: 200, body: await listRuns(dependencies, board, page) };
  }
  const runId = call.path['run'] ?? '';
  const head = await findRun(dependencies, board, runId);
  if (head === undefined)
    throw new ProblemError('RUN_UNKNOWN', `There is no run ${runId} on board ${board}.`);
  return { status: 200, body: await showPart(dependencies, call, head) };
});

async function showPart(
  dependencies: ShowRunDependencies,
  call: RouteCall,
  head: RunHead,
): Promise<unknown> {
  switch (call.route) {
    case runRoute:
      return showRun(dependencies, head);
    case `${runRoute}/events`:
      return listEvents(dependencies, head, readAfter(call));
    case `${runRoute}/deliverables`:
      return listDeliverables(dependencies, head, readAfter(call));
    case `${runRoute}/nodes/{node}`:
      return requireNode(dependencies, head, call.path['node'] ?? '');
    default:
      throw new ProblemError('ROUTE_UNKNOWN', `${call.route} is not served here.`);
  }
}

async function requireNode(
  dependencies: ShowRunDependencies,
  head: RunHead,
  nodeId: string,
): Promise<unknown> {
  const node = await showNode(dependencies, head, nodeId);
  if (node !== undefined) return node;
  const hint = await hintNode(dependencies, head, nodeId);
  throw new ProblemError('NODE_UNKNOWN', `The run ${head.runId} has no node ${nodeId}${hint}`);
}

function readAfter(call: RouteCall): number {
  const text = call.query['after'] ?? '0';
  if (/^[0-9]{1,12}$/.test(text)) return Number(text);
  throw new ProblemError(
    'BODY_MALFORMED',
    'The query parameter "after" is the number that "next" gave, or 0.',
  );
}
