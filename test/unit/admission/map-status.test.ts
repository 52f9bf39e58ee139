import { describe, expect, it } from 'vitest';
import { responseStatus, type ResponseStatus } from '../../../schemas/executor-response.ts';
import { admitResponse } from '../../../functions/domain/admission/admit-response.ts';
import { composeGoodFacts, type GoodFacts } from './good-facts.ts';

function decide(status: ResponseStatus, change: (facts: GoodFacts) => void = () => undefined) {
  const facts = composeGoodFacts();
  facts.response.self_reported_status = status;
  change(facts);
  return admitResponse(facts).decision;
}

describe('what an executor says of itself', () => {
  it('E64 no status but COMPLETED can succeed, with everything else in order', () => {
    for (const status of responseStatus.options) {
      expect(decide(status).end === 'SUCCEEDED').toBe(status === 'COMPLETED');
    }
  });

  it.each(['PARTIAL', 'FAILED', 'BLOCKED', 'REFUSED'] as const)(
    'E64 maps %s to FAILED, with what the record says and not what it says',
    (status) => {
      const decision = decide(status, (facts) => {
        facts.record.commands[0]!.exit_code = 3;
        facts.response.observations = [{ type: 'NOTE', detail: 'words of its own' }];
        facts.response.artefacts = [];
      });
      expect(decision).toEqual({
        end: 'FAILED',
        reason: 'EXECUTOR_REPORTED',
        detail: `the executor reported ${status}; SUMMARISE ended with 3`,
      });
    },
  );

  it('tells the words of a function, which is controller code', () => {
    const facts = composeGoodFacts('function');
    facts.response.self_reported_status = 'FAILED';
    facts.response.observations = [{ type: 'NOTE', detail: 'INPUT_INVALID: no list' }];
    expect(admitResponse(facts).decision.detail).toBe('INPUT_INVALID: no list');
  });

  it('p16 names a command that was killed for its memory', () => {
    const decision = decide('FAILED', (facts) => {
      facts.record.commands[0]!.exit_code = 137;
      facts.response.observations = [];
    });
    expect(decision.reason).toBe('OUT_OF_MEMORY');
  });

  it('blames the environment when the record has no sandbox and no command', () => {
    const decision = decide('REFUSED', (facts) => {
      facts.record.commands = [];
      facts.record.sandbox = null;
      facts.response.observations = [];
    });
    expect(decision).toMatchObject({ end: 'FAILED', reason: 'ENVIRONMENT' });
  });

  it('maps CANCELLED to CANCELLED only when the controller cancelled', () => {
    expect(decide('CANCELLED')).toMatchObject({ end: 'FAILED', reason: 'PROTOCOL_VIOLATION' });
    expect(decide('CANCELLED', (facts) => (facts.stopped = true)).end).toBe('CANCELLED');
  });

  it('E58 maps TIMED_OUT to TIMED_OUT only when the clock or the record agrees', () => {
    expect(decide('TIMED_OUT')).toMatchObject({ end: 'FAILED', reason: 'PROTOCOL_VIOLATION' });
    const byRecord = decide('TIMED_OUT', (facts) => {
      Object.assign(facts.record.commands[0]!, { timed_out: true, exit_code: null });
      facts.response.observations = [];
    });
    expect(byRecord.end).toBe('TIMED_OUT');
    const byClock = decide('TIMED_OUT', (facts) => {
      facts.returnedAt = '2026-01-05T09:10:10.000Z';
    });
    expect(byClock.end).toBe('TIMED_OUT');
  });

  it('E107 a claim of failure beside a lie is a lie first', () => {
    const decision = decide('FAILED', (facts) => (facts.response.cost_report.committed = '1'));
    expect(decision.reason).toBe('PROTOCOL_VIOLATION');
  });
});
