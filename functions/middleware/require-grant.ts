import { boardName } from '../../schemas/ids.ts';
import type { GrantAction } from '../../schemas/public-api.ts';
import type { Boards } from '../ports/boards.ts';
import { checkGrant } from '../use-cases/board/check-grant.ts';
import { ProblemError, type RouteCall } from './serve-route.ts';

/** The board of the call's path, once a grant on it allows the action. @throws ProblemError */
export async function requireGrant(
  boards: Boards,
  call: RouteCall,
  action: GrantAction,
): Promise<string> {
  const board = boardName.safeParse(call.path['board']);
  if (!board.success) throw new ProblemError('BOARD_UNKNOWN', 'The path names no possible board.');
  const verdict = await checkGrant(boards, {
    board: board.data,
    principal: call.principal,
    action,
  });
  if (verdict === 'GRANTED') return board.data;
  if (verdict === 'BOARD_UNKNOWN') {
    throw new ProblemError(
      'BOARD_UNKNOWN',
      `There is no board ${board.data}. An operator makes it with: windlass board create ${board.data}`,
    );
  }
  throw new ProblemError(
    'NOT_GRANTED',
    `${call.principal} may not ${action} on board ${board.data}. Who holds GRANT there gives it with: windlass board grant ${board.data} --principal ${call.principal} --allow ${action}`,
  );
}
