import { limits } from '../../../schemas/limits.ts';
import { mayComeLate, runMessage, type RunMessage } from '../../../schemas/run-message.ts';
import { PermanentError } from '../../ports/errors.ts';
import type { Delivery } from '../../ports/inbox.ts';
import { packJson, unpackJson } from './pack-json.ts';
import { readBytes, readText } from './read-attributes.ts';
import { messageKey, nameSweepPartition, type Item } from './table-shape.ts';

/**
 * The item of one message. Its key is its time and its id, so that the oldest comes first and the same message put twice
 * is one item.
 *
 * @throws PermanentError above `limits.messageBytes` of JSON
 */
export function encodeMessage(runId: string, message: RunMessage): Item {
  const rendered = runMessage.encode(message);
  const size = Buffer.byteLength(JSON.stringify(rendered));
  if (size > limits.messageBytes) {
    throw new PermanentError(
      `message ${message.id} of run ${runId} has ${String(size)} bytes; ${String(limits.messageBytes)} is the limit: store what is large as a document and send its digest`,
    );
  }
  return {
    ...messageKey(runId, message.at, message.id),
    ...(mayComeLate(message)
      ? { gsi1pk: nameSweepPartition('LATE_MESSAGE', runId), gsi1sk: message.at }
      : {}),
    type: message.type,
    message: packJson(rendered),
  };
}

export function decodeDelivery(item: Item): Delivery {
  return {
    key: readText(item, 'sk'),
    message: runMessage.parse(unpackJson(readBytes(item, 'message'))),
  };
}
