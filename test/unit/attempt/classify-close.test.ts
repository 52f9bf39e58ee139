import { describe, expect, it } from 'vitest';
import {
  classifyClose,
  type CloseFacts,
} from '../../../functions/domain/attempt/classify-close.ts';
import type { AttemptState } from '../../../functions/ports/attempt-register.ts';
import { hardDeadline } from './attempt-fixture.ts';

const now = '2026-01-05T09:05:00.000Z';
const running: Partial<AttemptState> = {
  launchedAt: '2026-01-05T09:00:00.000Z',
  claimedAt: '2026-01-05T09:00:10.000Z',
  leaseUntil: '2026-01-05T09:05:30.000Z',
};

function classify(facts: Partial<CloseFacts>, state: Partial<AttemptState> = running) {
  return classifyClose({
    kind: 'fargate',
    hardDeadline,
    state: { claimedAt: null, leaseUntil: null, ...state } as AttemptState,
    stopped: false,
    tasks: [],
    cause: 'States.TaskFailed',
    now,
    ...facts,
  });
}

describe('how an attempt that returned nothing has ended', () => {
  it('a stop order comes before everything', () => {
    expect(classify({ stopped: true, now: hardDeadline }, {}).end).toBe('CANCELLED');
  });

  it('p15 a start failure is one also after the deadline: it never ran', () => {
    expect(classify({ now: hardDeadline }, {})).toMatchObject({ reason: 'START_FAILED' });
  });

  it('E58 the deadline itself is too late, and the moment before is not', () => {
    expect(classify({ now: hardDeadline }).end).toBe('TIMED_OUT');
    expect(classify({ now: '2026-01-05T09:13:09.999Z' }).end).toBe('ABANDONED');
  });

  it('a lease that holds is not lost', () => {
    expect(classify({})).toMatchObject({ end: 'FAILED', reason: 'WORKFLOW_FAILED' });
    expect(classify({ now: '2026-01-05T09:05:30.001Z' }).end).toBe('ABANDONED');
  });

  it('a function has no lease and no start', () => {
    expect(classify({ kind: 'function' }, {})).toMatchObject({ reason: 'WORKFLOW_FAILED' });
    expect(classify({ kind: 'function', now: hardDeadline }, {}).end).toBe('TIMED_OUT');
  });

  it('p10 tells the reason that ECS gives for a start that failed', () => {
    const task = {
      taskArn: 'arn',
      lastStatus: 'STOPPED',
      stoppedReason: 'CannotPullContainerError: no such image',
      stopCode: 'TaskFailedToStart',
      startedAt: null,
      stoppedAt: null,
      containers: [],
    };
    expect(classify({ tasks: [task] }, {}).detail).toContain('CannotPullContainerError');
  });
});
