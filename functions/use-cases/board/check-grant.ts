import type { GrantAction } from '../../../schemas/public-api.ts';
import type { Boards } from '../../ports/boards.ts';

/** Whether a recorded grant lets the principal do this on the board. No grant means no (E20). */
export async function checkGrant(
  boards: Boards,
  request: { board: string; principal: string; action: GrantAction },
): Promise<'GRANTED' | 'NOT_GRANTED' | 'BOARD_UNKNOWN'> {
  const actions = await boards.readGrant(request.board, request.principal);
  if (actions.includes(request.action)) return 'GRANTED';
  return (await boards.exists(request.board)) ? 'NOT_GRANTED' : 'BOARD_UNKNOWN';
}
