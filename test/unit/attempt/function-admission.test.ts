import { describe, expect, it } from 'vitest';
import { digestBytes } from '../../../schemas/digest.ts';
import type { FunctionAnswer } from '../../../schemas/function-answer.ts';
import type { BuiltInFunction } from '../../../functions/executors/built-in-function.ts';
import { ArtifactCorruptError } from '../../../functions/ports/errors.ts';
import { admitAttempt } from '../../../functions/use-cases/attempt/admit-attempt.ts';
import { runFunction } from '../../../functions/use-cases/attempt/run-function.ts';
import { outputBytes, summaryBytes, type FixtureOptions } from './attempt-fixture.ts';
import { createScenario, type Scenario } from './attempt-scenario.ts';

const createFunctionScenario = (options: FixtureOptions = {}) =>
  createScenario({ ...options, kind: 'function' });

function run(scenario: Scenario, page = outputBytes['page']!): Promise<FunctionAnswer> {
  const standard = scenario.deps.findFunction('summarise')!;
  const builtIn: BuiltInFunction = {
    ...standard,
    run: () =>
      Promise.resolve({
        kind: 'outputs',
        outputs: {
          summary: { bytes: summaryBytes, mediaType: 'application/json' },
          page: { bytes: page, mediaType: 'text/html' },
        },
      }),
  };
  return runFunction({ ...scenario.deps, findFunction: () => builtIn }, scenario.name);
}

/** Admits and tells what it did with stored bytes. */
async function admit(scenario: Scenario, returned: FunctionAnswer) {
  const touched: string[] = [];
  scenario.deps.table.interruption = (operation, moment) => {
    if (moment === 'before' && /^(artifacts|documents)\./.test(operation)) touched.push(operation);
  };
  const answer = await admitAttempt(scenario.deps, { ...scenario.name, returned });
  scenario.deps.table.interruption = undefined;
  if (answer.kind !== 'SETTLED') throw new Error('nothing was settled');
  return { outcome: answer.outcome, touched };
}

describe('what a function gave', () => {
  it('E16 E40 was measured when it was stored, and is not read again', async () => {
    const scenario = await createFunctionScenario();
    const { outcome, touched } = await admit(scenario, await run(scenario));
    expect(outcome).toMatchObject({ end: 'SUCCEEDED', failedChecks: [] });
    expect(outcome.outputs['summary']).toMatchObject({
      sha256: digestBytes(summaryBytes),
      size: summaryBytes.byteLength,
    });
    expect(touched).toEqual(['documents.read']);
  });

  it('p18 is read where a check of the contract needs its bytes, and nothing else is', async () => {
    const accept = [{ check: 'contains' as const, output: 'page', text: '<p>6' }];
    const scenario = await createFunctionScenario({ accept });
    const { outcome, touched } = await admit(scenario, await run(scenario));
    expect(outcome.end).toBe('SUCCEEDED');
    expect(touched.filter((each) => each.startsWith('artifacts.'))).toEqual([
      'artifacts.find',
      'artifacts.read',
    ]);
  });

  it('E16 p32 is refused when a check reads other bytes than were stored', async () => {
    const accept = [{ check: 'not_empty' as const, output: 'summary' }];
    const scenario = await createFunctionScenario({ accept });
    const answer = await run(scenario);
    const key = `attempts/${scenario.attemptId}/sha256/${digestBytes(summaryBytes)}`;
    scenario.deps.artifacts.objects.get(key)![0]!.bytes = Buffer.from('{"sum":7}');
    const { outcome } = await admit(scenario, answer);
    expect(outcome).toMatchObject({ end: 'FAILED' });
    expect(outcome.failedChecks).toContain('CONTENT_HASH');
  });

  it('E40 is not taken from a place where other bytes lay before', async () => {
    const scenario = await createFunctionScenario();
    const key = `attempts/${scenario.attemptId}/sha256/${digestBytes(summaryBytes)}`;
    scenario.deps.artifacts.place(key, Buffer.from('{"sum":7}'));
    await expect(run(scenario)).rejects.toThrow(ArtifactCorruptError);
  });

  it('E36 is searched for secrets and active content before it is stored', async () => {
    const scenario = await createFunctionScenario();
    const answer = await run(scenario, Buffer.from('<p>6</p><script>go()</script>'));
    const { outcome } = await admit(scenario, answer);
    expect(outcome).toMatchObject({ end: 'FAILED', failedChecks: ['SECURITY'] });
  });

  it.each([
    ['says nothing of forbidden content', { content_findings: undefined }],
    ['lies elsewhere than its digest says', { sha256: digestBytes('other') }],
  ])('E16 is read again when its record %s', async (_what, change) => {
    const scenario = await createFunctionScenario();
    const answer = await run(scenario);
    if (answer.kind !== 'RETURNED') throw new Error('it did not return');
    Object.assign(answer.record.outputs[0]!, change);
    const { touched } = await admit(scenario, answer);
    expect(touched).toContain('artifacts.read');
  });
});

describe('the verdicts on a function', () => {
  it('E41 are all in the outcome, a letter each, and in no document when none failed', async () => {
    const scenario = await createFunctionScenario();
    const { outcome, touched } = await admit(scenario, await run(scenario));
    expect(outcome.verdicts).toBe('PPPPPPPPPPVPP');
    expect(outcome.recordSha256).toBeNull();
    expect(touched).not.toContain('documents.put');
  });

  it('E41 are in a document with response and record when one failed', async () => {
    const scenario = await createFunctionScenario();
    const answer = await run(scenario, Buffer.from('<script>go()</script>'));
    const { outcome } = await admit(scenario, answer);
    expect(outcome.verdicts).toBe('PPPPPPPPFPVPP');
    const text = await scenario.deps.documents.read('evaluations', outcome.recordSha256!);
    const evaluation = JSON.parse(text) as { verdicts: unknown[]; record: object };
    expect(evaluation.verdicts).toHaveLength(13);
    expect(evaluation.record).toHaveProperty('producer', 'controller');
  });
});
