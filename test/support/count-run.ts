import { readFileSync } from 'node:fs';
import { z } from 'zod';

export interface Counts {
  passed: number;
  failed: number;
}

const reportSchema = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  numTodoTests: z.int(),
});

/**
 * Counts a run of vitest by its JSON report, and a program without one as one test. A skipped test proves nothing: it
 * counts as failed, and so does a report that is not there.
 */
export function countRun({ good, report }: { good: boolean; report?: string | undefined }): Counts {
  if (report === undefined) return good ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  const { passed, failed } = readReport(report) ?? { passed: 0, failed: 1 };
  // A suite that could not start has no failed test of its own.
  return { passed, failed: !good && failed === 0 ? 1 : failed };
}

function readReport(file: string): Counts | undefined {
  try {
    const parsed = reportSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    const failed = parsed.numFailedTests + parsed.numPendingTests + parsed.numTodoTests;
    return { passed: parsed.numPassedTests, failed };
  } catch {
    return undefined;
  }
}
