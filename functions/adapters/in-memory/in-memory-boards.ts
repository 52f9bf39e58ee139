import type { GrantAction } from '../../../schemas/public-api.ts';
import { grantAction } from '../../../schemas/public-api.ts';
import type { Boards } from '../../ports/boards.ts';
import type { InMemoryTable } from './in-memory-table.ts';

export class InMemoryBoards implements Boards {
  readonly #table: InMemoryTable;

  constructor(table: InMemoryTable) {
    this.#table = table;
  }

  create(board: string, principal: string): Promise<'CREATED' | 'EXISTS'> {
    return this.#table.perform('boards.create', () => {
      if (this.#table.boards.has(board)) return 'EXISTS';
      this.#table.boards.set(board, new Map([[principal, [...grantAction.options]]]));
      return 'CREATED';
    });
  }

  exists(board: string): Promise<boolean> {
    return this.#table.perform('boards.exists', () => this.#table.boards.has(board));
  }

  grant(board: string, principal: string, actions: GrantAction[]): Promise<void> {
    return this.#table.perform('boards.grant', () => {
      const grants = this.#table.boards.get(board);
      if (actions.length === 0) grants?.delete(principal);
      else grants?.set(principal, [...actions]);
    });
  }

  readGrant(board: string, principal: string): Promise<GrantAction[]> {
    return this.#table.perform(
      'boards.readGrant',
      () => this.#table.boards.get(board)?.get(principal) ?? [],
    );
  }
}
