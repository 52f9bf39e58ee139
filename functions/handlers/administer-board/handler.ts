import { boardName } from '../../../schemas/ids.ts';
import { grantBody } from '../../../schemas/public-api.ts';
import { createStores } from '../../dependencies/create-stores.ts';
import { requireGrant } from '../../middleware/require-grant.ts';
import {
  parseBody,
  ProblemError,
  serveRoute,
  type RouteAnswer,
  type RouteCall,
} from '../../middleware/serve-route.ts';

const controller = { ...createStores(process.env) };

/** `PUT /boards/{board}` and `PUT /boards/{board}/grants` */
export const handler = serveRoute(async (call: RouteCall): Promise<RouteAnswer> => {
  switch (call.route) {
    case 'PUT /boards/{board}':
      return createBoard(call);
    case 'PUT /boards/{board}/grants':
      return grant(call);
    default:
      throw new ProblemError('ROUTE_UNKNOWN', `${call.route} is not served here.`);
  }
});

/** IAM says who may call it at all: creating boards is an operator's right, not a grant's. */
async function createBoard(call: RouteCall): Promise<RouteAnswer> {
  const board = boardName.safeParse(call.path['board']);
  if (!board.success) {
    throw new ProblemError(
      'BODY_MALFORMED',
      'A board is named by 1 to 64 of a-z, 0-9, "_" and "-", beginning with a letter or digit.',
    );
  }
  const at = controller.clock.now().toISOString();
  const answer = await controller.boards.create(board.data, call.principal, at);
  if (answer === 'CREATED') return { status: 201, body: { board: board.data, created: true } };
  const own = await controller.boards.readGrant(board.data, call.principal);
  if (own.includes('GRANT')) return { status: 200, body: { board: board.data, created: false } };
  throw new ProblemError(
    'BOARD_EXISTS',
    `The board ${board.data} exists and ${call.principal} holds no GRANT on it.`,
  );
}

async function grant(call: RouteCall): Promise<RouteAnswer> {
  const board = await requireGrant(controller.boards, call, 'GRANT');
  const { principal, actions } = parseBody(grantBody, call.body);
  await controller.boards.grant(board, principal, actions, controller.clock.now().toISOString());
  return { status: 200, body: { board, principal, actions } };
}
