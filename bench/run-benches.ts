import { spawnSync } from 'node:child_process';
import path from 'node:path';

/** Every benchmark after the other, one JSON object a line, named. Fails when one is outside its figure. */
const benches = {
  core: 'core/bench-core.ts',
  artifact: 'artifact/bench-artifact.ts',
  loop: 'loop/bench-loop.ts',
};
const wanted = process.argv.slice(2);

for (const [name, file] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const run = spawnSync(process.execPath, [path.join(import.meta.dirname, file)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const figures = run.stdout.trim().split('\n').at(-1) ?? '';
  console.log(
    JSON.stringify({
      bench: name,
      figures: JSON.parse(figures === '' ? 'null' : figures) as unknown,
    }),
  );
  if (run.status !== 0) process.exitCode = 1;
}
