import { readText } from './read-attributes.ts';
import { queryItems, type Table } from './read-items.ts';
import { tableShape, type ItemKey } from './table-shape.ts';

/**
 * A page of one partition of the board index, newest first. The index lags and has no more than keys.
 *
 * @param page `before` is `next` of the page before; null for the first page
 */
export async function listBoardKeys(
  table: Table,
  partition: string,
  { limit, before }: { limit: number; before: string | null },
): Promise<{ keys: ItemKey[]; next: string | null }> {
  const items = await queryItems(
    table,
    {
      IndexName: tableShape.boardIndex.name,
      KeyConditionExpression:
        before === null ? 'gsi2pk = :board' : 'gsi2pk = :board AND gsi2sk < :before',
      ExpressionAttributeValues: {
        ':board': partition,
        ...(before === null ? {} : { ':before': before }),
      },
      ScanIndexForward: false,
    },
    limit + 1,
  );
  const shown = items.slice(0, limit);
  const last = shown.at(-1);
  return {
    keys: shown.map((item) => ({ pk: readText(item, 'pk'), sk: readText(item, 'sk') })),
    next: items.length > limit && last !== undefined ? readText(last, 'gsi2sk') : null,
  };
}
