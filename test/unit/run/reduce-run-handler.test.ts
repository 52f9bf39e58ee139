import type { Context } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PermanentError, RetryableError } from '../../../functions/ports/errors.ts';
import { composeNode, composePlan } from '../domain/run/compose-run.ts';
import { captureLog } from '../middleware/capture-log.ts';
import { board, DriveScenario, runId } from './drive-scenario.ts';

const controller = vi.hoisted((): { ports: Record<string, object> } => ({ ports: {} }));
vi.mock('../../../functions/dependencies/create-stores.ts', () => ({
  createStores: () => controller.ports,
}));
vi.mock('../../../functions/dependencies/create-workflows.ts', () => ({
  createWorkflows: () => controller.ports['workflows'],
}));
vi.mock('../../../functions/dependencies/create-token-keys.ts', () => ({
  createTokenKeys: () => controller.ports['tokenKeys'],
}));

let log: string[] = [];
beforeEach(() => {
  vi.resetModules();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** The handler as a new environment loads it, over a run in memory. */
async function load() {
  const run = await DriveScenario.begin(composePlan([composeNode('a')]));
  controller.ports = { ...run.ports };
  log = captureLog((await import('../../../functions/middleware/logger.ts')).logger);
  const { handler } = await import('../../../functions/handlers/reduce-run/handler.ts');
  const call = (number: number, changes = {}) => {
    const event = {
      runId,
      board,
      generation: 1,
      call: number,
      taskToken: 'secret-token',
      ...changes,
    };
    return (handler as (event: unknown, context: Context) => Promise<unknown>)(
      event,
      {} as Context,
    );
  };
  return { run, call, answers: run.ports.workflows.answers };
}

describe('the handler of reduce-run', () => {
  it('leaves the token to a sender when the run sleeps', async () => {
    const { call, answers } = await load();
    expect(await call(1)).toEqual({ answer: 'PARKED' });
    expect(answers.size).toBe(0);
  });

  it('answers its token when there is nothing left to do', async () => {
    const { run, call, answers } = await load();
    await call(1);
    await run.settle('a');
    expect(await call(2, { taskToken: 'second' })).toEqual({ answer: 'FINISHED' });
    expect(answers.get('second')?.output).toEqual({ next: 'FINISHED' });
  });

  it.each<[Error, string]>([
    [new RetryableError('busy'), 'RetryableError'],
    [new PermanentError('broken'), 'PermanentError'],
    [new TypeError('a bug'), 'TypeError'],
  ])('p9 throws nothing and fails its token by a name: %s', async (error, name) => {
    const { run, call, answers } = await load();
    run.once('runLog.commit', 'before', () => {
      throw error;
    });
    expect(await call(1)).toEqual({ answer: 'FAILED' });
    expect(answers.get('secret-token')).toMatchObject({ output: null, error: name });
  });

  it('p9 fails its token when it cannot answer it, and goes on in the next call', async () => {
    const { run, call, answers } = await load();
    await call(1);
    await run.settle('a');
    run.dieAt('workflows.answerToken', 'before');
    expect(await call(2, { taskToken: 'second' })).toEqual({ answer: 'FAILED' });
    expect(answers.get('second')?.error).toBe('RetryableError');
    expect(await call(3, { taskToken: 'third' })).toEqual({ answer: 'FINISHED' });
  });

  it('p52 logs neither its token nor tells the cause to Step Functions', async () => {
    const { run, call, answers } = await load();
    run.once('runLog.commit', 'before', () => {
      throw new PermanentError('words of the store');
    });
    await call(1);
    expect(log.join()).not.toContain('secret-token');
    expect(log.join()).toContain('words of the store');
    expect(answers.get('secret-token')?.cause).not.toContain('words of the store');
  });
});
