import type { TestModule, Vitest } from 'vitest/node';
import { createVitest } from 'vitest/node';
import { prepareLocalstack } from '../local/localstack/prepare-localstack.ts';

/**
 * Runs the tests of the S3 adapters against LocalStack's open core, without Docker: a second opinion beside the
 * emulator on checksums and conditional writes. Prints `N passed, N failed` last.
 *
 * usage: node test/localstack/main.ts
 */
const signals = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

const startedAt = performance.now();

function tell(step: string): void {
  console.log(`${((performance.now() - startedAt) / 1000).toFixed(1)} s  ${step}`);
}

/** Closing takes LocalStack down; a second signal ends this process, and LocalStack ends after it. */
function endOnSignals(vitest: Vitest): void {
  for (const [signal, status] of Object.entries(signals)) {
    process.once(signal, () => {
      tell(`${signal}: stopping LocalStack`);
      void vitest.close().finally(() => process.exit(status));
    });
  }
}

/** A skipped test proves nothing: it counts as failed. So does a file or a setup that broke without a test. */
function countTests(
  modules: TestModule[],
  otherErrors: number,
): { passed: number; failed: number } {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const passed = tests.filter((test) => test.result().state === 'passed').length;
  const brokenModules = modules.filter((module) => module.errors().length > 0).length;
  const failed = tests.length - passed + brokenModules + otherErrors;
  return { passed, failed: passed + failed === 0 ? 1 : failed };
}

async function runTests(): Promise<{ passed: number; failed: number }> {
  const vitest = await createVitest({ project: ['localstack'], watch: false, run: true });
  endOnSignals(vitest);
  try {
    const { testModules, unhandledErrors } = await vitest.start();
    return countTests(testModules, unhandledErrors.length);
  } finally {
    await vitest.close();
  }
}

let counted = { passed: 0, failed: 1 };
try {
  tell('LocalStack: installed from its pinned requirements, unless it is there (about a minute)');
  const { installed } = await prepareLocalstack();
  tell(installed ? 'LocalStack: installed' : 'LocalStack: was there');
  counted = await runTests();
  tell('LocalStack: stopped');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
}
console.log(`${String(counted.passed)} passed, ${String(counted.failed)} failed`);
process.exitCode = counted.failed === 0 ? 0 : 1;
