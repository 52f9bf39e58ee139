import { queryItems, type Table } from './read-items.ts';
import { listSweepPartitions, tableShape, type Item, type SweepKind } from './table-shape.ts';

/** Keys of one kind from all partitions of the sweep's index, which may lag; with `to`, those that sort up to it. */
export async function querySweep(table: Table, kind: SweepKind, to?: string): Promise<Item[]> {
  const upTo = to === undefined ? '' : ' AND gsi1sk <= :to';
  const partitions = await Promise.all(
    listSweepPartitions(kind).map((partition) =>
      queryItems(table, {
        IndexName: tableShape.sweepIndex.name,
        KeyConditionExpression: `gsi1pk = :partition${upTo}`,
        ExpressionAttributeValues: {
          ':partition': partition,
          ...(to !== undefined && { ':to': to }),
        },
      }),
    ),
  );
  return partitions.flat();
}
