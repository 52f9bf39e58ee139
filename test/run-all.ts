import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/**
 * Runs every check and every test, and counts them: a check that is no test file counts as one. Prints
 * `N passed, N failed` last and ends with 0 only when nothing failed.
 *
 * usage: node test/run-all.ts [--check]   --check leaves out the end-to-end tests
 */
const root = join(import.meta.dirname, '..');
const reports = join(root, '.windlass', 'reports');
const bin = join(root, 'node_modules', '.bin');
const quick = process.argv.includes('--check');

interface Stage {
  name: string;
  command: string[];
  report?: string;
}

const vitest = (...projects: string[]): Stage => {
  const report = join(reports, `${projects.join('-')}.json`);
  const chosen = projects.flatMap((project) => ['--project', project]);
  return {
    name: `tests: ${projects.join(', ')}`,
    command: [
      'vitest',
      'run',
      ...chosen,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    report,
  };
};

const stages: Stage[] = [
  { name: 'build', command: ['node', 'build/build-all.ts'] },
  { name: 'types', command: ['tsc', '-p', '.'] },
  { name: 'lint', command: ['eslint', '.', '--max-warnings', '0'] },
  { name: 'format', command: ['prettier', '--check', '--log-level', 'warn', '.'] },
  { name: 'boundaries', command: ['node', 'build/check-boundaries.ts'] },
  { name: 'dead code', command: ['knip'] },
  { name: 'generated documents', command: ['node', 'build/generate-documents.ts', '--check'] },
  {
    name: 'synthesis',
    command: ['cdk', 'synth', '--quiet', '--output', '.windlass/check/cdk.out'],
  },
  vitest('unit', 'property', 'infra'),
  vitest('sandbox', 'emulator'),
  ...(quick ? [] : [vitest('e2e')]),
];

const counts = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  success: z.boolean(),
});

async function run(stage: Stage): Promise<boolean> {
  const [program = '', ...args] = stage.command;
  const child = spawn(join(bin, program), args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}`, FORCE_COLOR: '0' },
  });
  return new Promise((resolve) => {
    child.once('error', () => {
      resolve(false);
    });
    child.once('exit', (code) => {
      resolve(code === 0);
    });
  });
}

function readCounts(file: string): { passed: number; failed: number } | undefined {
  try {
    const parsed = counts.parse(JSON.parse(readFileSync(file, 'utf8')));
    return {
      passed: parsed.numPassedTests,
      failed: parsed.numFailedTests + parsed.numPendingTests,
    };
  } catch {
    return undefined;
  }
}

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
let passed = 0;
let failed = 0;
for (const stage of stages) {
  const startedAt = performance.now();
  const good = await run(stage);
  const counted = stage.report === undefined ? undefined : readCounts(stage.report);
  passed += counted?.passed ?? (good ? 1 : 0);
  failed += counted?.failed ?? (good ? 0 : 1);
  // A suite that could not start has no failed test of its own.
  if (!good && counted?.failed === 0) failed += 1;
  console.log(
    `${good ? 'ok' : 'FAILED'}  ${stage.name}  ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
  );
}
console.log(`${String(passed)} passed, ${String(failed)} failed`);
process.exitCode = failed === 0 ? 0 : 1;
