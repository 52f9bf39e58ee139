import { describe, expect, it } from 'vitest';
import { limits } from '../../../schemas/limits.ts';
import type { CheckedInputs } from '../../../schemas/plan-check-api.ts';
import { checkPlan } from '../../../functions/use-cases/run/check-plan.ts';
import { composeDocument, composeNode } from '../domain/plan/compose-submission.ts';
import {
  board,
  createStartScenario,
  goodPlan,
  listTraces,
  noTraces,
  start,
  type StartScenario,
} from './start-scenario.ts';

const describedFile = { filename: 'a.txt', media_type: 'text/plain', size: 5 };

/** One node for each file of a list, and one that takes a file of a type. */
const plan = composeDocument(
  [
    composeNode('each', { for_each: 'inputs.docs', takes: { doc: 'item' } }),
    composeNode('one', { takes: { brief: 'inputs.brief' } }),
  ],
  {
    inputs: {
      docs: { kind: 'files' },
      brief: { kind: 'file', media_types: ['text/plain'] },
    },
    deliverables: [{ from: 'one.out' }],
  },
);

function check(scenario: StartScenario, inputs?: CheckedInputs, document: unknown = plan) {
  const body = { plan: document as Record<string, unknown>, ...(inputs && { inputs }) };
  return checkPlan(scenario.dependencies, board, body);
}

async function listFaults(scenario: StartScenario, inputs: CheckedInputs): Promise<string[]> {
  const checked = await check(scenario, inputs);
  if (checked.kind === 'ADMITTED') return [];
  return checked.faults.map(({ code, path }) => `${code} ${path}`);
}

describe('checkPlan', () => {
  it('says what a start would make of a plan with files that are only described', async () => {
    const scenario = await createStartScenario();
    const inputs = { docs: [describedFile, describedFile, describedFile], brief: describedFile };
    expect(await check(scenario, inputs)).toEqual({
      kind: 'ADMITTED',
      answer: {
        name: 'plan',
        plan_sha256: null,
        nodes: 4,
        deliverables: 1,
        budget: {
          limit: { COMPUTE_COST: '1000000000', ATTEMPTS: '100000', WALL_SECONDS: '10000000' },
          // 120 s of Lambda each, rounded up to whole micro-USD, and one request each.
          first_attempts: { COMPUTE_COST: '13828', ATTEMPTS: '4', WALL_SECONDS: '480' },
        },
      },
    });
  });

  it('gives the digest that the plan of a run has, once all its files are stored', async () => {
    const scenario = await createStartScenario();
    const stored = [scenario.upload('b.txt'), scenario.upload('c.txt')].map(
      ({ key, versionId }) => ({ key, version_id: versionId }),
    );
    const inputs = { docs: stored, brief: stored[0]! };
    const checked = await check(scenario, inputs);
    const started = await start(scenario, { body: { plan, inputs } });
    const sha256 = started.kind === 'STARTED' ? started.planSha256 : '';
    expect(checked).toMatchObject({ answer: { plan_sha256: sha256, nodes: 3 } });
    const mixed = { docs: [stored[0]!, describedFile], brief: stored[1]! };
    expect(await check(scenario, mixed)).toMatchObject({ answer: { plan_sha256: null, nodes: 3 } });
  });

  it('reads what is named and leaves no trace, whether it admits or refuses', async () => {
    const scenario = await createStartScenario();
    const { key } = scenario.upload('b.txt');
    const asked: string[] = [];
    scenario.ports.table.interruption = (operation) => void asked.push(operation);
    const reference = `kanban-artifact:v1:${board}:t_brief:1:${'a'.repeat(64)}`;
    const admitted = await check(scenario, { docs: [{ key }], brief: describedFile });
    expect(admitted.kind).toBe('ADMITTED');
    expect((await check(scenario, { docs: [reference], brief: { key } })).kind).toBe('REFUSED');
    expect(new Set(asked)).toEqual(new Set(['artifacts.find', 'attachments.find']));
    expect(listTraces(scenario)).toEqual(noTraces);
    expect(scenario.ports.artifacts.objects.size).toBe(1);
  });

  it.each<[string, string | Record<string, unknown>, object?]>([
    ['text that is no YAML', 'a: [1'],
    ['a plan without a budget', { ...goodPlan, budget: null }],
    ['half a character', composeDocument([composeNode('a', { params: { text: '\ud800' } })])],
    ['an upload that is not there', plan, { docs: [{ key: `uploads/${board}/none` }] }],
    ['a file of another board', plan, { brief: { key: 'uploads/quay/none' } }],
    ['an input that nobody declared', goodPlan, { more: { key: `uploads/${board}/none` } }],
  ])('refuses %s with the very faults of a start', async (_name, document, inputs) => {
    const scenario = await createStartScenario();
    const body = { plan: document, ...(inputs && { inputs: inputs as Record<string, never> }) };
    const checked = await checkPlan(scenario.dependencies, board, body);
    expect(checked.kind).toBe('REFUSED');
    expect(checked).toEqual(await start(scenario, { body }));
    expect(listTraces(scenario)).toEqual(noTraces);
  });

  it('judges a described file as it would be judged stored', async () => {
    const scenario = await createStartScenario();
    const docs = [describedFile];
    const large = { ...describedFile, size: limits.attachmentBytes + 1 };
    const other = { ...describedFile, media_type: 'text/html' };
    const check = (inputs: CheckedInputs) => listFaults(scenario, inputs);
    expect(await check({ docs, brief: describedFile })).toEqual([]);
    expect(await check({ docs, brief: { ...large, size: limits.attachmentBytes } })).toEqual([]);
    expect(await check({ docs: [describedFile, large], brief: describedFile })).toEqual([
      'OVER_LIMIT /inputs/docs/1',
    ]);
    expect(await check({ docs, brief: other })).toEqual(['INPUT_MEDIA_TYPE /inputs/brief']);
    expect(await check({ docs, brief: docs.concat(docs) })).toEqual(['INPUT_KIND /inputs/brief']);
    expect(await check({ docs })).toEqual(['INPUT_MISSING /inputs/brief']);
    expect(await check({ docs, brief: describedFile, more: describedFile })).toEqual([
      'INPUT_UNEXPECTED /inputs/more',
    ]);
    const many = Array.from({ length: limits.runInputFiles }, () => describedFile);
    expect(await check({ docs: many, brief: describedFile })).toEqual(['OVER_LIMIT /inputs']);
  });
});
