import { describe, expect, it } from 'vitest';
import { createInMemoryPorts } from '../../../functions/adapters/in-memory/create-in-memory-ports.ts';
import { requireGrant } from '../../../functions/middleware/require-grant.ts';
import type { RouteCall } from '../../../functions/middleware/serve-route.ts';
import { checkGrant } from '../../../functions/use-cases/board/check-grant.ts';
import { roleArn } from './compose-api-event.ts';

const other = 'arn:aws:iam::000000000000:role/other';

async function createBoards() {
  const { boards } = createInMemoryPorts();
  await boards.create('harbour', roleArn);
  await boards.create('quay', other);
  await boards.grant('harbour', other, ['READ']);
  return boards;
}

const composeCall = (board: string | undefined, principal: string): RouteCall => ({
  route: 'GET /boards/{board}/runs',
  path: board === undefined ? {} : { board },
  query: {},
  header: () => undefined,
  body: undefined,
  principal,
});

describe('checkGrant', () => {
  it.each([
    ['harbour', roleArn, 'START', 'GRANTED'],
    ['harbour', roleArn, 'GRANT', 'GRANTED'],
    ['harbour', other, 'READ', 'GRANTED'],
    ['harbour', other, 'START', 'NOT_GRANTED'],
    ['harbour', other, 'GRANT', 'NOT_GRANTED'],
    ['quay', roleArn, 'READ', 'NOT_GRANTED'],
    ['harbour', `${roleArn}-2`, 'READ', 'NOT_GRANTED'],
    ['nowhere', roleArn, 'READ', 'BOARD_UNKNOWN'],
  ] as const)('E20 on %s %s may %s: %s', async (board, principal, action, verdict) => {
    expect(await checkGrant(await createBoards(), { board, principal, action })).toBe(verdict);
  });

  it('E20 forgets a grant that was taken away', async () => {
    const boards = await createBoards();
    const request = { board: 'harbour', principal: other, action: 'READ' } as const;
    expect(await checkGrant(boards, request)).toBe('GRANTED');
    await boards.grant('harbour', other, []);
    expect(await checkGrant(boards, request)).toBe('NOT_GRANTED');
  });
});

describe('requireGrant', () => {
  it('gives the board of the path to who may act on it', async () => {
    expect(await requireGrant(await createBoards(), composeCall('harbour', other), 'READ')).toBe(
      'harbour',
    );
  });

  it.each([
    ['harbour', 'START', 'NOT_GRANTED'],
    ['nowhere', 'READ', 'BOARD_UNKNOWN'],
    ['No Board', 'READ', 'BOARD_UNKNOWN'],
    ['../harbour', 'READ', 'BOARD_UNKNOWN'],
    [undefined, 'READ', 'BOARD_UNKNOWN'],
  ] as const)('E20 throws for the board %s and %s: %s', async (board, action, code) => {
    const boards = await createBoards();
    await expect(requireGrant(boards, composeCall(board, other), action)).rejects.toMatchObject({
      name: 'ProblemError',
      code,
    });
  });

  it('says how the grant is given', async () => {
    const boards = await createBoards();
    await expect(requireGrant(boards, composeCall('harbour', other), 'START')).rejects.toThrow(
      `windlass board grant harbour --principal ${other} --allow START`,
    );
  });
});
