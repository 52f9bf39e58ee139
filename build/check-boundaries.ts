import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';
import { repositoryRoot } from './repository-root.ts';

/**
 * Runs dependency-cruiser and guards the guard: a cruise that saw too few modules or no dependencies at all proves
 * nothing, and fails.
 */
const folders = [
  'schemas',
  'functions',
  'executor-task',
  'infra',
  'cli',
  'registry',
  'build',
  'test',
  'bench',
  'examples',
];
const fewestModules = 700;
const fewestDependencies = 3_000;

const cruise = z.object({
  summary: z.object({
    totalCruised: z.int(),
    totalDependenciesCruised: z.int(),
    violations: z.array(
      z.object({
        from: z.string(),
        to: z.string(),
        rule: z.object({ name: z.string(), severity: z.string() }),
      }),
    ),
  }),
});

const run = spawnSync(
  join(repositoryRoot, 'node_modules/.bin/depcruise'),
  ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...folders],
  { cwd: repositoryRoot, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 },
);
if (run.stdout === '') throw new Error(`dependency-cruiser said nothing: ${run.stderr}`);
const { summary } = cruise.parse(JSON.parse(run.stdout));
for (const { rule, from, to } of summary.violations)
  process.stderr.write(`${rule.name}: ${from} → ${to}\n`);
const blind =
  summary.totalCruised < fewestModules || summary.totalDependenciesCruised < fewestDependencies;
if (blind) {
  process.stderr.write(
    `cruised ${String(summary.totalCruised)} modules and ${String(summary.totalDependenciesCruised)} dependencies: too few to prove anything\n`,
  );
}
process.exitCode = summary.violations.length > 0 || blind ? 1 : 0;
