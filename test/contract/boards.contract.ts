import { describe, expect, it } from 'vitest';
import { grantAction } from '../../schemas/public-api.ts';
import type { Boards } from '../../functions/ports/boards.ts';
import { after, newBoard, noon } from './examples.ts';

const ana = 'arn:aws:iam::000000000000:user/ana';
const team = 'arn:aws:iam::000000000000:role/team/documents';

/** What all boards do, whatever keeps them. */
export function describeBoardsContract(name: string, create: () => Promise<Boards>): void {
  describe(`${name} as boards`, () => {
    it('E20 gives the creator every action and nobody else any', async () => {
      const boards = await create();
      const board = newBoard();
      expect(await boards.exists(board)).toBe(false);
      expect(await boards.create(board, ana, noon)).toBe('CREATED');
      expect(await boards.exists(board)).toBe(true);
      expect((await boards.readGrant(board, ana)).sort()).toEqual([...grantAction.options].sort());
      expect(await boards.readGrant(board, team)).toEqual([]);
      expect(await boards.readGrant(newBoard(), ana)).toEqual([]);
    });

    it('E20 leaves the grants of a board that exists as they are when it is created again', async () => {
      const boards = await create();
      const board = newBoard();
      const answers = await Promise.all(
        [ana, team].map((principal) => boards.create(board, principal, noon)),
      );
      expect([...answers].sort()).toEqual(['CREATED', 'EXISTS']);
      const loser = answers[0] === 'EXISTS' ? ana : team;
      expect(await boards.readGrant(board, loser)).toEqual([]);
    });

    it('E20 replaces a grant, and takes it away with an empty list', async () => {
      const boards = await create();
      const board = newBoard();
      await boards.create(board, ana, noon);
      await boards.grant(board, team, ['START', 'READ'], noon);
      expect((await boards.readGrant(board, team)).sort()).toEqual(['READ', 'START']);
      await boards.grant(board, team, ['READ'], after(1));
      expect(await boards.readGrant(board, team)).toEqual(['READ']);
      await boards.grant(board, team, [], after(2));
      expect(await boards.readGrant(board, team)).toEqual([]);
    });

    it('E20 keeps no grant for a board that does not exist yet', async () => {
      const boards = await create();
      const board = newBoard();
      await boards.grant(board, team, ['START'], noon);
      await boards.create(board, ana, after(1));
      expect(await boards.readGrant(board, team)).toEqual([]);
    });
  });
}
