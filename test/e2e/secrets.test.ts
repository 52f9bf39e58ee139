import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDynamodbPark } from '../../functions/adapters/dynamodb-park.ts';
import { unpackJson } from '../../functions/adapters/dynamodb/pack-json.ts';
import { assertSoundRuns } from '../support/e2e/assert-sound-runs.ts';
import { openBoard } from '../support/e2e/call-api.ts';
import { deriveTokens, findSecrets, type Secret } from '../support/e2e/collect-secrets.ts';
import { composeIndexing } from '../support/e2e/example-plans.ts';
import {
  awaitAttempt,
  awaitSuccess,
  nameAttempt,
  startRun,
  waitFor,
} from '../support/e2e/follow-run.ts';
import {
  callExecutorApi,
  claimAttempt,
  composeSubmission,
  storeOutput,
} from '../support/e2e/play-courier.ts';
import { listPayloads, readHistories } from '../support/e2e/read-histories.ts';
import { readCloudWatchLogs, readLocalLogs } from '../support/e2e/read-logs.ts';
import { listObjects, readObjects, scanTable } from '../support/e2e/scan-store.ts';
import { findTasks, withFargateHeld } from '../support/e2e/task-processes.ts';
import { useStack } from '../support/e2e/use-stack.ts';

const stack = useStack();
const park = createDynamodbPark({ client: stack.aws.table, table: stack.outputs.TableName });
let board: string;
let attempts: string[];
/** Of attempts: what opens the executor API and the attempt's credentials. */
let secrets: Secret[];
/** Task tokens of Step Functions, which the control plane keeps and nobody else may see. */
let taskTokens: Secret[];

/** A run that meets every secret there is: parked, claimed by us, refused, tried again by a real courier. */
beforeAll(async () => {
  board = await openBoard(stack, 'secrets');
  const met = await withFargateHeld(stack, async () => {
    const runId = await startRun(stack, board, composeIndexing());
    const first = nameAttempt(runId, 'index');
    const { claim, nonce } = await claimAttempt(stack, first);
    const register = await awaitAttempt(
      stack,
      first,
      'is launched',
      (each) => each.workflowToken !== null,
    );
    const parked = await waitFor('the park', () => park.read(runId));
    const stored = await storeOutput(stack, claim, 'index', Buffer.from('{}'));
    const submission = composeSubmission(claim, [stored]);
    // An executor that tells its token where it should not: in a free text.
    submission.response.observations.push({ type: 'NOTE', detail: claim.request.attempt_token });
    await callExecutorApi(stack, 'submit', { ...submission, session_key: nonce });
    expect((await callExecutorApi(stack, 'submit', submission)).status).toBe(200);
    return { runId, claim, nonce, tokens: [register.workflowToken ?? '', parked.token] };
  });
  await awaitSuccess(stack, met.runId);
  attempts = [1, 2].map((number) => nameAttempt(met.runId, 'index', number));
  const { credentials } = met.claim;
  secrets = [
    ...(await deriveTokens(stack, met.runId, [...attempts, nameAttempt(met.runId, 'write')])),
    { what: 'nonce of a courier', value: met.nonce },
    { what: 'secret key of an attempt', value: credentials.secret_access_key },
    { what: 'session token of an attempt', value: credentials.session_token },
  ];
  taskTokens = met.tokens.map((value, index) => ({ what: `task token ${String(index)}`, value }));
  expect(secrets.map(({ value }) => value)).toContain(met.claim.session_key);
});

afterAll(async () => {
  await assertSoundRuns(stack, board);
});

/** An item as text, with what is packed in it unpacked. */
function renderItem(item: Record<string, unknown>): string {
  return JSON.stringify(item, (_, value: unknown) =>
    value instanceof Uint8Array ? unpackJson(value) : value,
  );
}

describe('a secret', () => {
  it('p52 E101 stands in no log of the controller, of a task or of the local stack', async () => {
    const texts = [...(await readCloudWatchLogs(stack)), ...(await readLocalLogs(stack))];
    const lines = texts.reduce((sum, { text }) => sum + text.length, 0);
    expect(lines).toBeGreaterThan(10_000);
    const all = [...secrets, ...taskTokens];
    expect(
      texts.flatMap(({ source, text }) =>
        findSecrets(all, text).map((what) => `${what} in ${source}`),
      ),
    ).toEqual([]);
  });

  it('p52 E101 stands in no item, save the task tokens where the control plane keeps them', async () => {
    const kept: Record<string, string> = { PARK: 'token', ATTEMPT: 'workflowToken' };
    const items = (await scanTable(stack)).map((item) =>
      Object.fromEntries(
        Object.entries(item).filter(([name]) => name !== kept[String(item['sk'])]),
      ),
    );
    expect(items.length).toBeGreaterThan(10);
    const all = [...secrets, ...taskTokens];
    expect(
      items.flatMap((item) =>
        findSecrets(all, renderItem(item)).map(
          (what) => `${what} in ${String(item['pk'])} ${String(item['sk'])}`,
        ),
      ),
    ).toEqual([]);
  });

  it('p52 E101 stands in no object', async () => {
    const objects = await readObjects(stack, await listObjects(stack));
    expect(objects.length).toBeGreaterThan(5);
    const all = [...secrets, ...taskTokens];
    expect(
      objects.flatMap(({ version, bytes }) =>
        findSecrets(all, bytes).map((what) => `${what} in ${version.key}`),
      ),
    ).toEqual([]);
  });

  it('p52 is told to a task only as the claim ticket, in the override of its courier', async () => {
    for (const attemptId of attempts) {
      const tasks = await findTasks(stack, attemptId);
      expect(tasks).toHaveLength(1);
      expect(findSecrets([...secrets, ...taskTokens], JSON.stringify(tasks))).toEqual([
        `claim-ticket of ${attemptId}`,
      ]);
    }
  });

  it('p52 stands in no history, save a task token where Step Functions hands it to the function', async () => {
    const histories = await readHistories(stack);
    const found = histories.flatMap(({ name, events }) =>
      events.flatMap((event) =>
        listPayloads(event).flatMap(({ field, text }) => [
          ...findSecrets(secrets, text).map((what) => `${what} in ${name}`),
          ...findSecrets(taskTokens, text)
            .filter(() => event.type !== 'TaskScheduled' || field !== 'parameters')
            .map((what) => `${what} in ${field} of ${event.type ?? ''} of ${name}`),
        ]),
      ),
    );
    expect(histories.length).toBeGreaterThan(5);
    expect(found).toEqual([]);
  });
});
