import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createInMemoryPorts } from '../../../functions/adapters/in-memory/create-in-memory-ports.ts';
import { planCheckAnswer } from '../../../schemas/plan-check-api.ts';
import type { GrantAction } from '../../../schemas/public-api.ts';
import { composeDocument, composeNode } from '../domain/plan/compose-submission.ts';
import { callRoute, composeApiEvent, roleArn } from '../middleware/compose-api-event.ts';

const controller = vi.hoisted((): { ports: Record<string, object> } => ({ ports: {} }));
vi.mock('../../../functions/dependencies/create-stores.ts', () => ({
  createStores: () => controller.ports,
}));
vi.mock('../../../functions/dependencies/create-workflows.ts', () => ({
  createWorkflows: () => controller.ports['workflows'],
}));

const goodPlan = composeDocument([
  composeNode('a', { params: { expression: '1' } }),
  composeNode('b', { after: ['a'], params: { expression: '2' } }),
]);
const badPlan = { ...goodPlan, nodes: [composeNode('a', { operation: 'nonsense' })] };

beforeEach(() => {
  vi.resetModules();
  vi.stubEnv('WINDLASS_ENVIRONMENT_PINS', '{}');
});

/** Both routes as new environments load them, over one control plane in memory. */
async function load(actions: GrantAction[]) {
  const ports = createInMemoryPorts();
  await ports.boards.create('harbour', 'arn:aws:iam::000000000000:role/owner');
  await ports.boards.grant('harbour', roleArn, actions);
  controller.ports = { ...ports };
  const checking = await import('../../../functions/handlers/check-plan/handler.ts');
  const starting = await import('../../../functions/handlers/start-run/handler.ts');
  const resource = '/boards/{board}/plan-checks';
  const write = (body: unknown) => ({ body: JSON.stringify(body) });
  return {
    ports,
    check: (body: unknown, changes = {}) =>
      callRoute(checking.handler, composeApiEvent({ resource, ...write(body), ...changes })),
    start: (body: unknown) => callRoute(starting.handler, composeApiEvent(write(body))),
  };
}

describe('the handler of check-plan', () => {
  it('answers in the form of the route, without an idempotency key', async () => {
    const { check, ports } = await load(['START']);
    const answer = await check({ plan: goodPlan }, { headers: {} });
    expect(answer.statusCode).toBe(200);
    expect(planCheckAnswer.parse(answer.body)).toMatchObject({ board: 'harbour', nodes: 2 });
    expect(ports.table.heads.size).toBe(0);
    expect(ports.documents.documents.size).toBe(0);
  });

  it('E20 lets nobody check who may not start', async () => {
    const { check } = await load(['READ', 'CANCEL', 'UPLOAD', 'GRANT']);
    const answer = await check({ plan: goodPlan });
    expect(answer).toMatchObject({ statusCode: 403, body: { code: 'NOT_GRANTED' } });
    const elsewhere = await check({ plan: goodPlan }, { pathParameters: { board: 'quay' } });
    expect(elsewhere).toMatchObject({ statusCode: 404, body: { code: 'BOARD_UNKNOWN' } });
  });

  it('refuses with the document that a start refuses with, and tells that nothing was stored', async () => {
    const { check, start } = await load(['START']);
    const inputs = { more: { key: 'uploads/harbour/none' } };
    const refusal = await check({ plan: badPlan, inputs });
    expect(refusal).toMatchObject({ statusCode: 422, body: { code: 'PLAN_REFUSED' } });
    expect(refusal.body['detail']).toContain('no run was started and nothing of it was stored');
    expect(await start({ plan: badPlan, inputs })).toEqual(refusal);
  });

  it('E14 refuses a body that is no check, and a start that names a file which is not stored', async () => {
    const { check, start } = await load(['START']);
    const file = { filename: 'a.txt', media_type: 'text/plain', size: 5 };
    const answers = [
      await check({}),
      await check({ plan: goodPlan, key: 'k' }),
      await check({ plan: goodPlan, inputs: { docs: [] } }),
      await check({ plan: goodPlan, inputs: { Docs: file } }),
      await check({ plan: goodPlan, inputs: { docs: { ...file, filename: '../a.txt' } } }),
      await check({ plan: goodPlan, inputs: { docs: { ...file, sha256: 'a'.repeat(64) } } }),
      await start({ plan: goodPlan, inputs: { docs: file } }),
    ];
    for (const { statusCode, body } of answers)
      expect([statusCode, body['code']]).toEqual([400, 'BODY_MALFORMED']);
  });

  it('E14 refuses an input named __proto__, which a reader would drop in silence', async () => {
    const { check, start } = await load(['START']);
    const inputs = JSON.parse('{"__proto__": {"key": "uploads/harbour/a.txt"}}') as object;
    for (const refusal of [
      await check({ plan: goodPlan, inputs }),
      await start({ plan: goodPlan, inputs }),
    ]) {
      expect(refusal).toMatchObject({ statusCode: 422, body: { code: 'PLAN_REFUSED' } });
      const named = { path: '/inputs/__proto__', code: 'FORBIDDEN_NAME' };
      expect(refusal.body['faults']).toEqual([expect.objectContaining(named)]);
    }
  });

  it('E14 names the field of a described file that is wrong, and not those of a stored one', async () => {
    const { check } = await load(['START']);
    for (const size of [-1, '5']) {
      const file = { filename: 'a.txt', media_type: 'text/plain', size };
      const { body } = await check({ plan: goodPlan, inputs: { docs: file } });
      expect(body['faults']).toEqual([expect.objectContaining({ path: '/inputs/docs/size' })]);
    }
    const stored = await check({ plan: goodPlan, inputs: { docs: { key: 'elsewhere/a.txt' } } });
    expect(stored.body['faults']).toEqual([expect.objectContaining({ path: '/inputs/docs/key' })]);
  });

  it.each<[object, string, string]>([
    [{ filename: 'a.txt', media_type: 'text/plain' }, 'MISSING_FIELD', 'size'],
    [{ media_type: 'text/plain', size: 5 }, 'MISSING_FIELD', 'filename'],
    [{}, 'MISSING_FIELD', 'key'],
    [{ key: 'uploads/harbour/a', filename: 'a.txt', size: 5 }, 'UNKNOWN_FIELD', 'size'],
    [
      { key: 'uploads/harbour/a', filename: 'a.txt', media_type: 'text/plain', size: 5 },
      'UNKNOWN_FIELD',
      'size',
    ],
  ])('E14 tells what %j lacks to be the form that it is nearest to', async (file, code, field) => {
    const { check } = await load(['START']);
    const alone = await check({ plan: goodPlan, inputs: { docs: file } });
    const fault = { code, path: `/inputs/docs/${field}` };
    expect(alone.body['faults']).toEqual([expect.objectContaining(fault)]);
    const listed = await check({ plan: goodPlan, inputs: { docs: [file] } });
    const inList = { code, path: `/inputs/docs/0/${field}` };
    expect(listed.body['faults']).toEqual([expect.objectContaining(inList)]);
  });
});
