import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Attachment, Attachments } from '../ports/attachments.ts';
import { PermanentError } from '../ports/errors.ts';
import { decodeAttachment, encodeAttachment } from './dynamodb/attachment-item.ts';
import { readNumber } from './dynamodb/read-attributes.ts';
import { queryItems, readItem, type Table } from './dynamodb/read-items.ts';
import {
  attachmentCounterKey,
  attachmentEnd,
  attachmentKey,
  attachmentUploadKey,
  nameAttachments,
} from './dynamodb/table-shape.ts';
import { putItems } from './dynamodb/write-batches.ts';
import { writeOnCondition } from './write-on-condition.ts';
import { writeTransaction } from './dynamodb/write-transaction.ts';

/** Attachments in the one table: for each its record, and beside it the upload that it came by. */
export function createDynamodbAttachments(table: Table): Attachments {
  const find: Attachments['find'] = async (task, attachmentId) => {
    const item = await readItem(table, attachmentKey(task, attachmentId));
    return item === undefined ? undefined : decodeAttachment(item);
  };
  const findUpload: Attachments['findUpload'] = async (task, uploadId) => {
    const item = await readItem(table, attachmentUploadKey(task, uploadId));
    return item === undefined ? undefined : find(task, readNumber(item, 'attachment'));
  };

  return {
    find,
    findUpload,

    async register(uploadId, unnumbered) {
      const attachmentId = await takeNumber(table, unnumbered.board);
      const attachment: Attachment = { ...unnumbered, attachmentId };
      const onlyNew = {
        TableName: table.table,
        ConditionExpression: 'attribute_not_exists(pk)',
      };
      const upload = { ...attachmentUploadKey(attachment, uploadId), attachment: attachmentId };
      const what = `register attachment ${String(attachmentId)} of task ${attachment.taskId}`;
      const answer = await writeTransaction(table.client, what, [
        { Put: { ...onlyNew, Item: upload } },
        { Put: { ...onlyNew, Item: encodeAttachment(attachment) } },
      ]);
      if (answer.kind === 'WRITTEN') return { kind: 'REGISTERED', attachment };
      const earlier = await findUpload(attachment, uploadId);
      if (earlier === undefined) {
        throw new PermanentError(`cannot ${what}: the number was given before`);
      }
      const isOurs = answer.unsure && earlier.attachmentId === attachmentId;
      return { kind: isOurs ? 'REGISTERED' : 'REPLAYED', attachment: earlier };
    },

    // Unconditional: the record under such an id is always the same.
    attach: (attachments) => putItems(table, 'attach', attachments.map(encodeAttachment)),

    async list({ board, taskId }, { after, limit }) {
      const items = await queryItems(
        table,
        {
          KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
          ExpressionAttributeValues: {
            ':pk': nameAttachments(board, taskId),
            ':from': attachmentKey({ board, taskId }, after + 1).sk,
            ':to': attachmentEnd,
          },
          ConsistentRead: true,
        },
        limit,
      );
      return items.map(decodeAttachment);
    },
  };
}

/** A number that no other call gets. One that is not used after all leaves a gap, which harms nobody. */
async function takeNumber(table: Table, board: string): Promise<number> {
  const count = new UpdateCommand({
    TableName: table.table,
    Key: attachmentCounterKey(board),
    UpdateExpression: 'ADD #last :one',
    ExpressionAttributeNames: { '#last': 'last' },
    ExpressionAttributeValues: { ':one': 1 },
    ReturnValues: 'UPDATED_NEW',
  });
  const what = `number an attachment of board ${board}`;
  const answer = await writeOnCondition(what, () => table.client.send(count));
  const last: unknown = answer?.Attributes?.['last'];
  if (typeof last === 'number') return last;
  throw new PermanentError(`cannot ${what}: the table answered no number`);
}
