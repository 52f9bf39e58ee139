import { InvokeCommand } from '@aws-sdk/client-lambda';
import { ListObjectVersionsCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nameAnswer } from '../../functions/adapters/s3-plan-drops.ts';
import { deriveDroppedRunId } from '../../schemas/ids.ts';
import { assertSoundRuns } from '../support/e2e/assert-sound-runs.ts';
import { openBoard } from '../support/e2e/call-api.ts';
import { awaitAnswer, awaitDroppedRun, dropPlan, readAnswer } from '../support/e2e/drop-plan.ts';
import {
  composeGreeting,
  composeLargeText,
  composeLongIndexing,
} from '../support/e2e/example-plans.ts';
import { awaitEnd, awaitSuccess, readEvents, waitFor } from '../support/e2e/follow-run.ts';
import { useStack } from '../support/e2e/use-stack.ts';
import { uniqueName } from '../support/use-emulator.ts';

const stack = useStack();
const bucket = stack.outputs.DropBucket;
const text = JSON.stringify(composeGreeting('dropped'));
let board: string;

async function listRunsOfBoard(): Promise<string[]> {
  const page = await stack.stores.runIndex.listRuns(board, { limit: 100, before: null });
  return page.runIds;
}

/** The event of EventBridge, as the rule hands it to the function. */
async function deliverAgain(key: string, versionId: string): Promise<void> {
  const event = {
    source: 'aws.s3',
    'detail-type': 'Object Created',
    detail: { bucket: { name: bucket }, object: { key, 'version-id': versionId } },
  };
  const answer = await stack.aws.lambda.send(
    new InvokeCommand({
      FunctionName: 'windlass-start-dropped-run',
      Payload: Buffer.from(JSON.stringify(event)),
    }),
  );
  expect(answer.FunctionError, Buffer.from(answer.Payload ?? []).toString()).toBeUndefined();
}

beforeAll(async () => {
  board = await openBoard(stack, 'inbox');
});

afterAll(async () => {
  await assertSoundRuns(stack, board);
});

describe('an event of a dropped plan', () => {
  it('p8 is kept when the function throws on it however often it is tried', async () => {
    // A notification whose shape AWS would have changed.
    const strange = { detail: { bucket: { name: bucket }, key: uniqueName('strange') } };
    await stack.aws.lambda.send(
      new InvokeCommand({
        FunctionName: 'windlass-start-dropped-run',
        InvocationType: 'Event',
        Payload: Buffer.from(JSON.stringify(strange)),
      }),
    );
    const { DeadEventsQueueUrl: QueueUrl } = stack.outputs;
    const kept = await waitFor('the event in the dead-letter queue', async () => {
      const { Messages = [] } = await stack.aws.sqs.send(new ReceiveMessageCommand({ QueueUrl }));
      return Messages.find(({ Body = '' }) => Body.includes(strange.detail.key));
    });
    expect(JSON.parse(kept.Body ?? '')).toMatchObject({ requestPayload: strange });
  });
});

describe('a plan that is dropped into the inbox', () => {
  it.each([
    ['spaces', 'monthly report.json'],
    ['a plus sign', 'a+b.json'],
    ['a percent sequence', 'a%2Bb.json'],
    ['letters beyond ASCII', 'Übersicht – 月次.json'],
    ['folders', 'team/2026/plan.json'],
  ])('p6 starts a run under a key with %s, which is taken as it is', async (_, name) => {
    const key = `inbox/${board}/${name}`;
    const version = await dropPlan(stack, key, text);
    const runId = await awaitDroppedRun(stack, key, version);
    expect(runId).toBe(deriveDroppedRunId(bucket, key, version));
    expect(await awaitSuccess(stack, runId)).toMatchObject({ board });
  });

  it('p1 starts one run however often the event of one version comes', async () => {
    const key = `inbox/${board}/five times.json`;
    const before = new Set(await listRunsOfBoard());
    const version = await dropPlan(stack, key, text);
    await Promise.all(Array.from({ length: 5 }, () => deliverAgain(key, version)));
    const runId = await awaitDroppedRun(stack, key, version);
    await awaitEnd(stack, runId);
    await deliverAgain(key, version);
    expect((await listRunsOfBoard()).filter((each) => !before.has(each))).toEqual([runId]);
    const events = await readEvents(stack, runId);
    expect(events.filter(({ type }) => type === 'RUN_STARTED')).toHaveLength(1);
    const answers = await stack.aws.s3.send(
      new ListObjectVersionsCommand({ Bucket: bucket, Prefix: nameAnswer(key, version) }),
    );
    expect(answers.Versions).toHaveLength(1);
  });

  it('p1 starts another run for a new version of the same key', async () => {
    const key = `inbox/${board}/versions.json`;
    const first = await dropPlan(stack, key, text);
    const second = await dropPlan(stack, key, text);
    const runs = [
      await awaitDroppedRun(stack, key, first),
      await awaitDroppedRun(stack, key, second),
    ];
    expect(new Set(runs).size).toBe(2);
    await Promise.all(runs.map((runId) => awaitEnd(stack, runId)));
  });

  it('takes the files that it names beside the plan', async () => {
    const upload = `uploads/${board}/by-hand/text.json`;
    const put = await stack.aws.s3.send(
      new PutObjectCommand({
        Bucket: stack.outputs.ArtifactBucket,
        Key: upload,
        Body: composeLargeText(2_000),
        ContentType: 'application/json',
        ChecksumAlgorithm: 'SHA256',
      }),
    );
    const named = { texts: { key: upload, version_id: put.VersionId } };
    const key = `inbox/${board}/with inputs.json`;
    const version = await dropPlan(
      stack,
      key,
      JSON.stringify({ ...composeLongIndexing(), run_inputs: named }),
    );
    const runId = await awaitDroppedRun(stack, key, version);
    await awaitSuccess(stack, runId);
  });

  it('is refused in the outbox with every fault, and starts nothing', async () => {
    const before = await listRunsOfBoard();
    const key = `inbox/${board}/bad.yaml`;
    const version = await dropPlan(stack, key, 'windlass: 1\nname: bad\nnodes: []\n');
    const answer = await awaitAnswer(stack, key, version);
    expect(answer).toMatchObject({ kind: 'REFUSED' });
    const faults = answer.kind === 'REFUSED' ? answer.faults : [];
    expect(faults.map(({ path }) => path).sort()).toEqual(['/budget', '/nodes']);
    expect(await listRunsOfBoard()).toEqual(before);
  });

  it('is refused under a board that is not there, and ignored outside the inbox', async () => {
    const nowhere = 'inbox/no-such-board/plan.json';
    const answer = await awaitAnswer(stack, nowhere, await dropPlan(stack, nowhere, text));
    expect(answer).toMatchObject({ kind: 'REFUSED', faults: [{ code: 'BOARD_UNKNOWN' }] });
    const outside = `elsewhere/${board}/plan.json`;
    const outsideVersion = await dropPlan(stack, outside, text);
    // The answer to a later drop says that the earlier event has had its turn.
    const later = `inbox/${board}/later.json`;
    await awaitEnd(stack, await awaitDroppedRun(stack, later, await dropPlan(stack, later, text)));
    expect(await readAnswer(stack, outside, outsideVersion)).toBeUndefined();
    expect(
      await stack.stores.runLog.readHead(deriveDroppedRunId(bucket, outside, outsideVersion)),
    ).toBeUndefined();
  });
});
