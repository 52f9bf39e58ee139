import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countRun } from '../../support/count-run.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'windlass-count-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function report(passed: number, failed: number, pending = 0, todo = 0): Promise<string> {
  const file = path.join(folder, 'report.json');
  const counts = { numPassedTests: passed, numFailedTests: failed };
  const others = { numPendingTests: pending, numTodoTests: todo };
  await writeFile(file, JSON.stringify({ ...counts, ...others }));
  return file;
}

describe('the count of a run', () => {
  it('is that of its report', async () => {
    expect(countRun({ good: true, report: await report(3, 0) })).toEqual({ passed: 3, failed: 0 });
    expect(countRun({ good: false, report: await report(3, 2) })).toEqual({ passed: 3, failed: 2 });
  });

  it('takes skipped and intended tests for failed', async () => {
    const counts = { good: true, report: await report(3, 0, 1, 1) };
    expect(countRun(counts)).toEqual({ passed: 3, failed: 2 });
  });

  it('takes a run that broke outside its tests for failed', async () => {
    expect(countRun({ good: false, report: await report(3, 0) })).toEqual({ passed: 3, failed: 1 });
  });

  it('takes a missing or broken report for failed, whatever the exit code says', async () => {
    const missing = path.join(folder, 'none.json');
    expect(countRun({ good: true, report: missing })).toEqual({ passed: 0, failed: 1 });
    const broken = path.join(folder, 'broken.json');
    await writeFile(broken, '{');
    expect(countRun({ good: true, report: broken })).toEqual({ passed: 0, failed: 1 });
  });

  it('is one for a program that makes no report', () => {
    expect(countRun({ good: true })).toEqual({ passed: 1, failed: 0 });
    expect(countRun({ good: false })).toEqual({ passed: 0, failed: 1 });
  });
});
