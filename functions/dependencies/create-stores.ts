import {
  createDocumentClient,
  createS3Client,
  createS3Presigner,
} from '../adapters/aws-clients.ts';
import { createDynamodbAttachments } from '../adapters/dynamodb-attachments.ts';
import { createDynamodbAttemptRegister } from '../adapters/dynamodb-attempt-register.ts';
import { createDynamodbBoards } from '../adapters/dynamodb-boards.ts';
import { createDynamodbInbox } from '../adapters/dynamodb-inbox.ts';
import { createDynamodbPark } from '../adapters/dynamodb-park.ts';
import { createDynamodbRunIndex } from '../adapters/dynamodb-run-index.ts';
import { createDynamodbRunLog } from '../adapters/dynamodb-run-log.ts';
import { createDynamodbRunStarts } from '../adapters/dynamodb-run-starts.ts';
import { createDynamodbStopOrders } from '../adapters/dynamodb-stop-orders.ts';
import { createDynamodbTasks } from '../adapters/dynamodb-tasks.ts';
import { createS3ArtifactStore } from '../adapters/s3-artifact-store.ts';
import { createS3DocumentStore } from '../adapters/s3-document-store.ts';
import { createSystemClock } from '../adapters/system-clock.ts';
import { createUlidIdSource } from '../adapters/ulid-id-source.ts';
import { meterWrites } from './meter-writes.ts';
import { readSetting, type Settings } from './read-setting.ts';

/**
 * The table and the artifact bucket behind their ports, with time and ids: what nearly every handler needs. A Lambda
 * that touches no object is given no bucket.
 */
export function createStores(settings: Settings) {
  const table = {
    client: meterWrites(createDocumentClient(settings)),
    table: readSetting(settings, 'WINDLASS_TABLE'),
  };
  const objects = {
    client: createS3Client(settings),
    presigner: createS3Presigner(settings),
    bucket: settings['WINDLASS_ARTIFACT_BUCKET'] ?? '',
  };
  const documents = createS3DocumentStore(objects);
  return {
    artifacts: createS3ArtifactStore(objects),
    documents,
    runLog: createDynamodbRunLog({ ...table, documents }),
    inbox: createDynamodbInbox(table),
    park: createDynamodbPark(table),
    runStarts: createDynamodbRunStarts(table),
    attempts: createDynamodbAttemptRegister(table),
    stopOrders: createDynamodbStopOrders(table),
    boards: createDynamodbBoards(table),
    tasks: createDynamodbTasks(table),
    attachments: createDynamodbAttachments(table),
    runIndex: createDynamodbRunIndex(table),
    clock: createSystemClock(),
    ids: createUlidIdSource(),
  };
}
