import { grantAction, type GrantAction } from '../../schemas/public-api.ts';
import type { Boards } from '../ports/boards.ts';
import { readItem, type Table } from './dynamodb/read-items.ts';
import { boardKey, grantKey, type Item } from './dynamodb/table-shape.ts';
import { writeTransaction } from './dynamodb/write-transaction.ts';

/** Boards and grants in the one table. */
export function createDynamodbBoards(table: Table): Boards {
  return {
    async create(board, principal, at): Promise<'CREATED' | 'EXISTS'> {
      const answer = await writeTransaction(table.client, `create board ${board}`, [
        {
          Put: {
            TableName: table.table,
            Item: { ...boardKey(board), createdBy: principal, createdAt: at },
            ConditionExpression: 'attribute_not_exists(pk)',
          },
        },
        {
          Put: {
            TableName: table.table,
            Item: encodeGrant(board, principal, [...grantAction.options], at),
          },
        },
      ]);
      if (answer.kind === 'WRITTEN') return 'CREATED';
      if (!answer.unsure) return 'EXISTS';
      const there = await readItem(table, boardKey(board));
      const isOurs = there?.['createdBy'] === principal && there['createdAt'] === at;
      return isOurs ? 'CREATED' : 'EXISTS';
    },

    async exists(board): Promise<boolean> {
      return (await readItem(table, boardKey(board))) !== undefined;
    },

    async grant(board, principal, actions, at): Promise<void> {
      const item = encodeGrant(board, principal, actions, at);
      const write =
        actions.length === 0
          ? { Delete: { TableName: table.table, Key: grantKey(board, principal) } }
          : { Put: { TableName: table.table, Item: item } };
      // Without a board nothing is written: a grant must not lie in wait for a board of that name.
      await writeTransaction(table.client, `grant on board ${board}`, [
        {
          ConditionCheck: {
            TableName: table.table,
            Key: boardKey(board),
            ConditionExpression: 'attribute_exists(pk)',
          },
        },
        write,
      ]);
    },

    async readGrant(board, principal): Promise<GrantAction[]> {
      const item = await readItem(table, grantKey(board, principal));
      return item === undefined ? [] : grantAction.array().parse(item['actions']);
    },
  };
}

function encodeGrant(board: string, principal: string, actions: GrantAction[], at: string): Item {
  return { ...grantKey(board, principal), actions: [...new Set(actions)], at };
}
