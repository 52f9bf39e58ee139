import { describe, expect, it } from 'vitest';
import { packJson, unpackJson } from '../../../functions/adapters/dynamodb/pack-json.ts';
import { encodeMessage } from '../../../functions/adapters/dynamodb/message-item.ts';
import { encodePrepared } from '../../../functions/adapters/dynamodb/attempt-item.ts';
import { PermanentError } from '../../../functions/ports/errors.ts';
import {
  describeAttempt,
  describeOutcome,
  describeOutcomeMessage,
} from '../../contract/attempt-examples.ts';

/** What a value was packed to when the first dictionary was written; it has to be read for ever. */
const packedLongAgo = 'ASPCBANjXQPDEEMjKwMDKwMDPQMDgyhIgwakLb3o8LbD81OLlGoB';
const value = { type: 'NODE_ACCEPTED', at: '2026-03-01T12:00:00.000Z', note: 'größer' };

/** One write unit. */
const unitBytes = 1_024;

describe('packed JSON', () => {
  it('is read as it was written', () => {
    expect(unpackJson(packJson(value))).toEqual(value);
    expect(unpackJson(packJson(null))).toBeNull();
  });

  it('is still read with the dictionary of long ago', () => {
    expect(unpackJson(Buffer.from(packedLongAgo, 'base64'))).toEqual(value);
  });

  it('is refused when it is of another version, cut or empty', () => {
    const packed = packJson(value);
    expect(() => unpackJson(Buffer.concat([Buffer.of(2), packed.subarray(1)]))).toThrow(
      PermanentError,
    );
    expect(() => unpackJson(packed.subarray(0, -3))).toThrow(PermanentError);
    expect(() => unpackJson(new Uint8Array())).toThrow(PermanentError);
  });

  it('keeps a prepared attempt and an outcome message of ordinary size within one write unit', () => {
    const attempt = describeAttempt();
    const message = describeOutcomeMessage(attempt, describeOutcome(attempt));
    for (const item of [encodePrepared(attempt), encodeMessage(attempt.runId, message)]) {
      expect(measure(item)).toBeLessThan(unitBytes);
    }
  });
});

/** As DynamoDB measures an item of texts and bytes: names and values. */
function measure(item: Record<string, unknown>): number {
  return Object.entries(item).reduce(
    (total, [name, attribute]) =>
      total + Buffer.byteLength(name) + Buffer.byteLength(attribute as string | Uint8Array),
    0,
  );
}
