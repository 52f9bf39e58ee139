import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AttemptRecord } from '../../schemas/attempt-record.ts';
import type { ClaimAnswer } from '../../schemas/executor-api.ts';
import { assertSoundRuns } from '../support/e2e/assert-sound-runs.ts';
import { openBoard } from '../support/e2e/call-api.ts';
import { composeIndexing } from '../support/e2e/example-plans.ts';
import { awaitSuccess, nameAttempt, readEvents, startRun } from '../support/e2e/follow-run.ts';
import {
  callExecutorApi,
  claimAttempt,
  composeSubmission,
  storeOutput,
} from '../support/e2e/play-courier.ts';
import { withFargateHeld } from '../support/e2e/task-processes.ts';
import { useStack } from '../support/e2e/use-stack.ts';

const stack = useStack();
let board: string;

beforeAll(async () => {
  board = await openBoard(stack, 'handoff');
});

afterAll(async () => {
  await assertSoundRuns(stack, board);
});

type Output = AttemptRecord['outputs'][number];
type HandOff = (claim: ClaimAnswer, stored: Output) => ReturnType<typeof composeSubmission>;

/** A run whose first try of the tool says that it is done and hands this off. */
async function runWithHandOff(handOff: HandOff): Promise<string> {
  return withFargateHeld(stack, async () => {
    const runId = await startRun(stack, board, composeIndexing());
    const { claim } = await claimAttempt(stack, nameAttempt(runId, 'index'));
    const stored = await storeOutput(
      stack,
      claim,
      'index',
      Buffer.from('{"totals": {"terms": 1}}'),
    );
    const answer = await callExecutorApi(stack, 'submit', handOff(claim, stored));
    expect(answer.status).toBe(200);
    return runId;
  });
}

const nowhere = 'f'.repeat(64);
const handOffs: [string, HandOff][] = [
  [
    'bytes that were never stored',
    (claim, stored) =>
      composeSubmission(claim, [
        { ...stored, key: `${claim.upload.prefix}${nowhere}`, sha256: nowhere },
      ]),
  ],
  [
    'a version that is not there',
    (claim, stored) => composeSubmission(claim, [{ ...stored, version_id: 'no-such-version' }]),
  ],
  ['nothing at all', (claim) => composeSubmission(claim, [])],
];

describe('a handoff that names what cannot be found', () => {
  it.each(handOffs)('A75 stays open for a retry: %s', async (_, handOff) => {
    const runId = await runWithHandOff(handOff);
    await awaitSuccess(stack, runId);
    const [first, second] = [nameAttempt(runId, 'index'), nameAttempt(runId, 'index', 2)];
    const events = await readEvents(stack, runId);
    const ends = events.flatMap((event) =>
      event.type === 'ATTEMPT_ENDED' && [first, second].includes(event.attemptId)
        ? [[event.attemptId, event.outcome.end, event.outcome.reason]]
        : [],
    );
    expect(ends).toEqual([
      [first, 'FAILED', 'DELIVERABLE_MISSING'],
      [second, 'SUCCEEDED', null],
    ]);
    const accepted = events.flatMap((event) =>
      event.type === 'NODE_ACCEPTED' && event.nodeId === 'index' ? [event.attemptId] : [],
    );
    expect(accepted).toEqual([second]);
  });
});
