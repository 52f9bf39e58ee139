import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { signalExitCodes } from '../../cli/exit-codes.ts';
import { stopEmulator } from '../local/emulator/start-emulator.ts';
import { prepareLocalstack } from '../local/localstack/prepare-localstack.ts';
import { startLocalstack } from '../local/localstack/start-localstack.ts';
import { repositoryRoot, windlassFolder } from '../local/repository-paths.ts';
import type { EmulatorState } from '../local/stack-state.ts';
import { countRun, type Counts } from '../support/count-run.ts';

/**
 * Runs the tests of the S3 adapters against LocalStack's open core, without Docker: a second opinion beside the
 * emulator on checksums and conditional writes. Prints `N passed, N failed` last.
 *
 * usage: node test/localstack/main.ts [TEST_FILE…]
 */
const logFile = path.join(windlassFolder, 'localstack.log');
const report = path.join(windlassFolder, 'localstack-report.json');
const config = fileURLToPath(import.meta.resolve('./vitest.config.ts'));
const vitest = path.join(repositoryRoot, 'node_modules', '.bin', 'vitest');

const startedAt = performance.now();
const interruption = new AbortController();

function tell(step: string): void {
  console.log(`${((performance.now() - startedAt) / 1000).toFixed(1)} s  ${step}`);
}

/** What is under way is stopped before this process ends; a second signal ends it at once, and LocalStack after it. */
function endOnSignals(): void {
  for (const [signal, status] of Object.entries(signalExitCodes)) {
    process.on(signal, () => {
      if (interruption.signal.aborted) process.exit(status);
      tell(`${signal}: stopping`);
      process.exitCode = status;
      interruption.abort();
    });
  }
}

async function runTests(localstack: EmulatorState): Promise<Counts> {
  const stateFile = path.join(localstack.temporaryFolder, 'state.json');
  await writeFile(stateFile, JSON.stringify(localstack), { mode: 0o600 });
  await rm(report, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const words = ['run', '--config', config, ...reporters, ...process.argv.slice(2)];
  const { exitCode } = await execa(vitest, words, {
    cwd: repositoryRoot,
    env: { WINDLASS_LOCALSTACK_STATE: stateFile },
    stdio: ['ignore', 'inherit', 'inherit'],
    reject: false,
    cancelSignal: interruption.signal,
  });
  return countRun({ good: exitCode === 0, report });
}

async function testLocalstack(): Promise<Counts> {
  tell('installing LocalStack, unless it is there (half a minute)');
  const { python, installed } = await prepareLocalstack();
  tell(installed ? 'installed' : 'it is there');
  endOnSignals();
  const localstack = await startLocalstack({ python, logFile, ownerPid: process.pid });
  try {
    tell(`LocalStack answers at ${localstack.endpoint}`);
    interruption.signal.throwIfAborted();
    return await runTests(localstack);
  } finally {
    await stopEmulator(localstack);
    tell('LocalStack is stopped');
  }
}

const counts = await testLocalstack().catch((error: unknown): Counts => {
  if (!interruption.signal.aborted) console.error(error instanceof Error ? error.message : error);
  return { passed: 0, failed: 1 };
});
console.log(`${String(counts.passed)} passed, ${String(counts.failed)} failed`);
if (!interruption.signal.aborted) process.exitCode = counts.failed === 0 ? 0 : 1;
