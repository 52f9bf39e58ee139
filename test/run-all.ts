import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { countRun } from './support/count-run.ts';

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

interface Outcome {
  good: boolean;
  output: string;
  seconds: number;
}

const vitest = (...projects: string[]): Stage => {
  const report = join(reports, `${projects.join('-')}.json`);
  const chosen = projects.flatMap((project) => ['--project', project]);
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`];
  return {
    name: `tests: ${projects.join(', ')}`,
    command: ['vitest', 'run', ...chosen, ...reporters],
    report,
  };
};

/** Lanes run side by side, the stages of a lane one after the other; groups of lanes one after the other. */
const groups: Stage[][][] = [
  [[{ name: 'build', command: ['node', 'build/build-all.ts'] }]],
  [
    [
      { name: 'types', command: ['tsc', '-p', '.'] },
      { name: 'lint', command: ['eslint', '.', '--max-warnings', '0'] },
      { name: 'format', command: ['prettier', '--check', '--log-level', 'warn', '.'] },
      { name: 'boundaries', command: ['node', 'build/check-boundaries.ts'] },
      { name: 'dead code', command: ['knip', '--no-progress'] },
      { name: 'generated documents', command: ['node', 'build/generate-documents.ts', '--check'] },
      {
        name: 'synthesis',
        command: [
          'cdk',
          'synth',
          '--quiet',
          '--context',
          'stage=local',
          '--output',
          '.windlass/check/cdk.out',
        ],
      },
      vitest('infra'),
      vitest('sandbox'),
    ],
    [vitest('unit', 'property')],
  ],
  [[vitest('emulator')]],
  ...(quick ? [] : [[[vitest('process')]], [[vitest('e2e')]]]),
];

async function run(stage: Stage): Promise<Outcome> {
  const startedAt = performance.now();
  const [program = '', ...args] = stage.command;
  const child = spawn(join(bin, program), args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
      FORCE_COLOR: '0',
      NO_COLOR: '1',
    },
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output.push(text);
    });
  }
  const good = await new Promise<boolean>((resolve) => {
    child.once('error', () => {
      resolve(false);
    });
    child.once('close', (code) => {
      resolve(code === 0);
    });
  });
  return { good, output: output.join(''), seconds: (performance.now() - startedAt) / 1000 };
}

const total = { passed: 0, failed: 0 };

async function runStage(stage: Stage): Promise<void> {
  console.log(`…       ${stage.name}`);
  const outcome = await run(stage);
  const counted = countRun({ good: outcome.good, report: stage.report });
  total.passed += counted.passed;
  total.failed += counted.failed;
  const verdict = counted.failed === 0 ? 'ok    ' : 'FAILED';
  console.log(
    `${verdict}  ${stage.name}: ${String(counted.passed)} passed, ${outcome.seconds.toFixed(1)} s`,
  );
  if (counted.failed > 0) console.log(outcome.output);
}

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
const startedAt = performance.now();
for (const lanes of groups) {
  await Promise.all(
    lanes.map(async (lane) => {
      for (const stage of lane) await runStage(stage);
    }),
  );
}
console.log(`${((performance.now() - startedAt) / 1000).toFixed(0)} s in all`);
console.log(`${String(total.passed)} passed, ${String(total.failed)} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
