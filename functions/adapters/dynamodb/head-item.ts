import { runStatus } from '../../../schemas/run-event.ts';
import type { RunHead } from '../../ports/run-log.ts';
import { readNumber, readOptionalText, readText } from './read-attributes.ts';
import { headKey, nameSweepPartition, readKeyId, type Item } from './table-shape.ts';

/**
 * The item of a new run's head. Its key in the sweep's index never changes while the run goes on: the sweep looks at
 * every open run anyway, and a key that moved with each commit would cost two index writes a commit.
 */
export function encodeHead(head: RunHead): Item {
  return {
    ...headKey(head.runId),
    board: head.board,
    plan: head.planSha256,
    planName: head.planName,
    nodes: head.nodeCount,
    startedBy: head.startedBy,
    createdAt: head.createdAt,
    status: head.status,
    seq: head.seq,
    hash: head.hash,
    commit: head.commitId,
    generation: head.generation,
    movedAt: head.createdAt,
    ...(head.wakeAt === null ? {} : { wakeAt: head.wakeAt }),
    ...(head.endedAt === null
      ? { gsi1pk: nameSweepPartition('RUN_OPEN', head.runId), gsi1sk: head.createdAt }
      : { endedAt: head.endedAt }),
    gsi2pk: `BOARD#${head.board}`,
    gsi2sk: `${head.createdAt}#${head.runId}`,
  };
}

export function decodeHead(item: Item): RunHead {
  return {
    runId: readKeyId(readText(item, 'pk')),
    board: readText(item, 'board'),
    planSha256: readText(item, 'plan'),
    planName: readText(item, 'planName'),
    nodeCount: readNumber(item, 'nodes'),
    startedBy: readText(item, 'startedBy'),
    createdAt: readText(item, 'createdAt'),
    status: runStatus.parse(item['status']),
    seq: readNumber(item, 'seq'),
    hash: readText(item, 'hash'),
    commitId: readText(item, 'commit'),
    generation: readNumber(item, 'generation'),
    wakeAt: readOptionalText(item, 'wakeAt'),
    endedAt: readOptionalText(item, 'endedAt'),
  };
}
