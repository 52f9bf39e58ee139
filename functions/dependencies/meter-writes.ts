import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { countWriteUnits, type WriteUnits } from '../adapters/count-write-units.ts';

const meters: WriteUnits[] = [];

/** Counts what this environment writes through the client from now on. */
export function meterWrites<Client extends Pick<DynamoDBClient, 'middlewareStack'>>(
  client: Client,
): Client {
  meters.push(countWriteUnits(client));
  return client;
}

/** Write units that this environment has used so far, as DynamoDB bills them. A log line tells the units of one call. */
export function readWriteUnits(): number {
  return meters.reduce((sum, meter) => sum + meter.total, 0);
}
