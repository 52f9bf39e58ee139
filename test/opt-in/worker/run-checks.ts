import type { Check } from './worker-checks.ts';

/** Runs the checks one after the other, prints a line of each, and answers whether all held. */
export async function runChecks(checks: readonly Check[]): Promise<boolean> {
  let failed = 0;
  for (const { title, run } of checks) {
    try {
      await run();
      console.log(`ok      ${title}`);
    } catch (error) {
      failed += 1;
      console.log(`FAILED  ${title}\n${String(error)}`);
    }
  }
  console.log(`${String(checks.length - failed)} passed, ${String(failed)} failed`);
  return failed === 0;
}

/** Says that nothing was checked. Where a check was asked for, that is a failure. */
export function reportNotRun(reason: string, wasAskedFor: boolean): void {
  console.log(`NOT RUN: ${reason}`);
  process.exitCode = wasAskedFor ? 1 : 0;
}
