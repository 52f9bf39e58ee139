import { describe, expect, it } from 'vitest';
import { admissionCheck } from '../../../schemas/attempt-outcome.ts';
import { digestBytes } from '../../../schemas/digest.ts';
import { admitResponse } from '../../../functions/domain/admission/admit-response.ts';
import { admitChanged, listFailed } from './admit-changed.ts';
import { composeGoodFacts } from './good-facts.ts';

const otherDigest = digestBytes('something else');

describe('a good response', () => {
  it.each(['fargate', 'function'] as const)('E41 passes all thirteen checks of a %s', (kind) => {
    const admission = admitResponse(composeGoodFacts(kind));
    expect(admission.decision).toEqual({ end: 'SUCCEEDED', reason: null, detail: '' });
    expect(admission.verdicts.map(({ check }) => check)).toEqual(admissionCheck.options);
    expect(listFailed(admission)).toEqual([]);
  });

  it('gives the outputs as artifacts with the size and digest that the controller measured', () => {
    const { outputs } = admitResponse(composeGoodFacts());
    expect(outputs['summary']).toMatchObject({
      sha256: digestBytes('{"sum":6}'),
      size: 9,
      mediaType: 'application/json',
      filename: 'summary.json',
    });
    expect(Object.keys(outputs)).toEqual(['summary', 'page']);
  });

  it('E38 says why nothing is assumed', () => {
    const verdict = admitResponse(composeGoodFacts()).verdicts.find(
      ({ check }) => check === 'ASSUMPTIONS',
    );
    expect(verdict).toMatchObject({ verdict: 'VACUOUS' });
    expect(verdict?.detail).toContain('level 2');
  });
});

describe('freshness', () => {
  it('E59 takes nothing after a stop order', () => {
    const admission = admitChanged((facts) => (facts.stopped = true));
    expect(listFailed(admission)).toEqual(['FRESHNESS']);
    expect(admission.decision).toMatchObject({ end: 'CANCELLED', reason: null });
  });

  it('E34 takes nothing that was fenced', () => {
    const admission = admitChanged((facts) => (facts.fenced = true));
    expect(listFailed(admission)).toEqual(['FRESHNESS']);
    expect(admission.decision.end).toBe('ABANDONED');
  });

  it('E58 takes nothing that returned after the deadline, and what returned at it', () => {
    const late = admitChanged((facts) => (facts.returnedAt = '2026-01-05T09:13:10.001Z'));
    expect(listFailed(late)).toEqual(['FRESHNESS']);
    expect(late.decision.end).toBe('TIMED_OUT');
    const onTime = admitChanged((facts) => (facts.returnedAt = '2026-01-05T09:13:10.000Z'));
    expect(onTime.decision.end).toBe('SUCCEEDED');
  });
});

describe('a violation', () => {
  it('E95 fails the attempt whatever it says and however good the rest is', () => {
    for (const status of ['COMPLETED', 'CANCELLED', 'FAILED'] as const) {
      const admission = admitChanged((facts) => {
        facts.response.self_reported_status = status;
        facts.record.violations = [{ kind: 'PTRACE', detail: '', evidence_sha256: otherDigest }];
        facts.stopped = status === 'CANCELLED';
      });
      expect(admission.decision).toMatchObject({ end: 'FAILED', reason: 'SANDBOX_VIOLATION' });
      expect(admission.outputs).toEqual({});
    }
  });
});
