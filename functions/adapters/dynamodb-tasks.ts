import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { PermanentError } from '../ports/errors.ts';
import type { Task, Tasks } from '../ports/tasks.ts';
import { listBoardKeys } from './dynamodb/list-board-keys.ts';
import { readText } from './dynamodb/read-attributes.ts';
import { findItem, readItem, readItems, type Table } from './dynamodb/read-items.ts';
import { tableShape, taskKey, type Item } from './dynamodb/table-shape.ts';
import { writeOnCondition } from './write-on-condition.ts';

/** Tasks in the one table, listed by time through the index that lists runs. */
export function createDynamodbTasks(table: Table): Tasks {
  const find: Tasks['find'] = async (board, taskId) => {
    const item = await readItem(table, taskKey(board, taskId));
    return item === undefined ? undefined : decodeTask(item);
  };

  return {
    find,

    async create(task) {
      const put = new PutCommand({
        TableName: table.table,
        Item: encodeTask(task),
        ConditionExpression: 'attribute_not_exists(pk)',
      });
      const what = `create task ${task.taskId} of board ${task.board}`;
      const written = await writeOnCondition(what, () => table.client.send(put));
      if (written !== undefined) return { kind: 'CREATED', task };
      const standing = await find(task.board, task.taskId);
      if (standing === undefined)
        throw new PermanentError(`cannot ${what}: it was there and is gone`);
      return { kind: 'EXISTS', task: standing };
    },

    async list(board, page) {
      const { keys, next } = await listBoardKeys(table, nameTasks(board), page);
      const items = keys.length === 0 ? [] : await readItems(table, `read tasks of ${board}`, keys);
      const tasks = keys.flatMap((key) => {
        const item = findItem(items, key);
        return item === undefined ? [] : [decodeTask(item)];
      });
      return { tasks, next };
    },
  };
}

/** Apart from the runs of the board in the same index. */
function nameTasks(board: string): string {
  return `TASKS#${board}`;
}

function encodeTask({ board, taskId, title, createdBy, createdAt }: Task): Item {
  return {
    ...taskKey(board, taskId),
    board,
    task: taskId,
    title,
    createdBy,
    createdAt,
    [tableShape.boardIndex.partitionKey]: nameTasks(board),
    [tableShape.boardIndex.sortKey]: `${createdAt}#${taskId}`,
  };
}

function decodeTask(item: Item): Task {
  return {
    board: readText(item, 'board'),
    taskId: readText(item, 'task'),
    title: readText(item, 'title'),
    createdBy: readText(item, 'createdBy'),
    createdAt: readText(item, 'createdAt'),
  };
}
