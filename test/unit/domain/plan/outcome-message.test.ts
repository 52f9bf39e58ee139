import { nameAttemptPrefix } from '../../../../schemas/name-attempt-prefix.ts';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../../schemas/limits.ts';
import {
  nameOutcomeMessage,
  runMessage,
  type RunMessage,
} from '../../../../schemas/run-message.ts';
import { composeDocument, composeNode, listFaults, unsigned } from './compose-submission.ts';

const digest = 'a'.repeat(64);
const instant = '2026-01-01T00:00:00.000Z';
const attemptId = `att_${'Z'.repeat(26)}`;
const mediaType = 'application/json';

/** S3 gives 32 characters today. */
const versionId = 'v'.repeat(36);

interface Given {
  name: string;
  filename: string | null;
}

function measureMessage(outputs: readonly Given[]): number {
  const message: RunMessage = {
    type: 'ATTEMPT_OUTCOME',
    id: nameOutcomeMessage(attemptId),
    at: instant,
    attemptId,
    outcome: {
      end: 'SUCCEEDED',
      reason: null,
      detail: '',
      outputs: Object.fromEntries(
        outputs.map(({ name, filename }) => [
          name,
          {
            key: `${nameAttemptPrefix(attemptId)}${digest}`,
            versionId,
            sha256: digest,
            size: limits.outputBytes,
            mediaType,
            filename,
          },
        ]),
      ),
      failedChecks: [],
      recordSha256: digest,
      costMicroUsd: 10n ** 17n,
      wallSeconds: limits.attemptTimeoutSeconds,
      claimedAt: instant,
      returnedAt: instant,
      endedAt: instant,
    },
  };
  return Buffer.byteLength(JSON.stringify(runMessage.encode(message)));
}

function nameOutputs(count: number, filename: string | null): Given[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `n${String(index)}`.padEnd(40, 'x'),
    filename: filename === null ? null : `${String(index)}${filename}`,
  }));
}

/** Whether a plan may have a node that gives these. */
function isAdmitted(outputs: readonly Given[]): boolean {
  const gives = Object.fromEntries(
    outputs.map(({ name, filename }) => [
      name,
      { media_type: mediaType, ...(filename === null ? {} : { filename }) },
    ]),
  );
  return listFaults(composeDocument([composeNode('a', { gives })]), unsigned).length === 0;
}

describe('the outcome message of a node', () => {
  it('p42 holds as many outputs as a node may have, under their longest names', () => {
    const outputs = nameOutputs(limits.nodeOutputs, null);
    expect(isAdmitted(outputs)).toBe(true);
    expect(measureMessage(outputs)).toBeLessThanOrEqual(limits.messageBytes);
  });

  it('p42 holds whatever names are admitted, those that JSON makes longer included', () => {
    for (const letter of ['x', '"', 'ü']) {
      for (let count = 1; count <= limits.nodeOutputs; count += 1) {
        let longest = 0;
        for (let length = 1; length < 255; length += 1) {
          if (isAdmitted(nameOutputs(count, letter.repeat(length)))) longest = length;
        }
        const bytes = measureMessage(nameOutputs(count, letter.repeat(longest)));
        expect(bytes).toBeLessThanOrEqual(limits.messageBytes);
      }
    }
  });

  it('p42 would not hold eight outputs under the longest file names, which no plan may ask for', () => {
    const outputs = nameOutputs(limits.nodeOutputs, 'x'.repeat(254));
    expect(measureMessage(outputs)).toBeGreaterThan(limits.messageBytes);
    expect(isAdmitted(outputs)).toBe(false);
  });
});
