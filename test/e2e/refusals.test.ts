import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fault } from '../../schemas/problem.ts';
import { assertSoundRuns } from '../support/e2e/assert-sound-runs.ts';
import { callApi, openBoard } from '../support/e2e/call-api.ts';
import { composeGreeting } from '../support/e2e/example-plans.ts';
import { awaitSuccess } from '../support/e2e/follow-run.ts';
import { listObjects, scanTable } from '../support/e2e/scan-store.ts';
import { useStack } from '../support/e2e/use-stack.ts';

const stack = useStack();
let board: string;

interface Refusal {
  run_id: string;
  code: string;
  faults: Fault[];
}

function submit(plan: unknown) {
  return callApi<Refusal>(stack, {
    method: 'POST',
    path: `boards/${board}/runs`,
    headers: { 'idempotency-key': randomUUID() },
    body: { plan },
  });
}

/** All that stands of this board, and every plan that is stored. */
async function readStored(): Promise<string[]> {
  const items = await scanTable(stack);
  const objects = await listObjects(stack);
  return [
    ...items
      .filter(({ pk, board: of }) => of === board || pk === `BOARD#${board}`)
      .map(({ pk, sk }) => `${String(pk)} ${String(sk)}`),
    ...items.filter(({ sk }) => sk === 'START').map(({ pk }) => String(pk)),
    ...objects.filter(({ key }) => key.startsWith('plans/')).map(({ key }) => key),
  ].sort();
}

const node = (id: string, after: string[] = [], more: object = {}) => ({
  id,
  operation: 'transform',
  gives: { out: 'application/json' },
  params: { expression: '1' },
  after,
  ...more,
});
const withNodes = (nodes: unknown[], more: object = {}) => ({
  ...composeGreeting(),
  nodes,
  ...more,
});

const many = Array.from({ length: 257 }, (_, index) => `n${String(index)}`);

/** What it is, the plan, and code, path and value of each fault that must be named. */
const refused: [string, unknown, [string, string, string][]][] = [
  [
    'several faults at once',
    withNodes(
      [node('a', ['ghost', 'a']), node('a'), node('b', [], { operation: 'no-such-operation' })],
      { budget: undefined },
    ),
    [
      ['NO_BUDGET', '/budget', 'nothing'],
      ['DUPLICATE_ID', '/nodes/1/id', '"a"'],
      ['UNKNOWN_NODE', '/nodes/0/after/0', '"ghost"'],
      ['SELF_EDGE', '/nodes/0/after/1', '"a"'],
      ['UNKNOWN_OPERATION', '/nodes/2/operation', '"no-such-operation"'],
    ],
  ],
  [
    'a cycle, its nodes in their order',
    withNodes([node('a', ['c']), node('d'), node('c', ['b']), node('b', ['a'])]),
    [['CYCLE', '/nodes/0', '["a","b","c"]']],
  ],
  ['no nodes', withNodes([]), [['EMPTY_PLAN', '/nodes', '[]']]],
  ['no budget', { ...composeGreeting(), budget: undefined }, [['NO_BUDGET', '/budget', 'nothing']]],
  [
    'an id that is too long',
    withNodes([node('x'.repeat(41))]),
    [['LONG_ID', '/nodes/0/id', `"${'x'.repeat(41)}"`]],
  ],
  ['an id of other letters', withNodes([node('Übung')]), [['BAD_ID', '/nodes/0/id', '"Übung"']]],
  [
    'an executor that is not registered',
    withNodes([node('a', [], { executors: ['ghost'] })]),
    [['UNKNOWN_EXECUTOR', '/nodes/0/executors/0', '"ghost"']],
  ],
  [
    'more nodes and more needs than the limits',
    withNodes([
      node('wide', [], { for_each: Array.from({ length: 10_001 }, () => 1) }),
      ...many.map((id) => node(id)),
      node('end', many),
    ]),
    [
      ['OVER_LIMIT', '/nodes/258', '257'],
      ['OVER_LIMIT', '/nodes', '10259'],
      ['BUDGET_TOO_SMALL', '/budget/ATTEMPTS', '200'],
    ],
  ],
];

beforeAll(async () => {
  board = await openBoard(stack, 'refuse');
});

afterAll(async () => {
  await assertSoundRuns(stack, board);
});

describe('a plan that is refused', () => {
  it.each(refused)(
    'is told every fault with path, value and fix, and nothing is stored: %s',
    async (_, plan, faults) => {
      const before = await readStored();
      const answer = await submit(plan);
      expect(answer).toMatchObject({ status: 422, body: { code: 'PLAN_REFUSED' } });
      expect(answer.body.faults.map(({ code, path, value }) => [code, path, value])).toEqual(
        faults,
      );
      for (const { message, fix } of answer.body.faults) expect([message, fix]).not.toContain('');
      expect(await readStored()).toEqual(before);
    },
  );

  it('is told where its text is no YAML', async () => {
    const answer = await submit('{"windlass": [');
    expect(answer).toMatchObject({ status: 422, body: { code: 'PLAN_REFUSED' } });
    expect(answer.body.faults[0]).toMatchObject({ code: 'NOT_YAML', path: '' });
    expect(answer.body.faults[0]?.message).toContain('line 1');
  });

  it('is not refused once its faults are mended', async () => {
    const answer = await submit(withNodes([node('a'), node('b', ['a'])]));
    expect(answer.status).toBe(201);
    await awaitSuccess(stack, answer.body.run_id);
  });
});
