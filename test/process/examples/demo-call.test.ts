import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { describeStandIn } from '../../support/stand-in-api/run-windlass.ts';
import { startStandInApi } from '../../support/stand-in-api/start-stand-in-api.ts';
import { makeRun, runId } from '../../support/stand-in-api/stand-in-state.ts';

const module = JSON.stringify(import.meta.resolve('../../../examples/demo/call-windlass.ts'));
/** Follows a run as the demo does, and outlives the signal as the demo does. */
const follow = `
import { followWindlass } from ${module};
process.on('SIGINT', () => undefined);
await followWindlass(['run', 'watch', '${runId}', '--board', 'demo'], () => undefined).catch(
  (error) => console.log(error.message),
);`;

it('an interrupted demo does not say that its run goes on, as its stack goes down', async () => {
  const api = await startStandInApi();
  api.state.runs.set(runId, makeRun({ status: 'RUNNING' }));
  const child = spawn(process.execPath, ['--input-type=module', '--eval', follow], {
    detached: true,
    env: { PATH: process.env['PATH'], ...describeStandIn(api) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  await api.waitForCall(`GET /boards/demo/runs/${runId}/events`);
  // As a terminal does: to the demo and to what it called.
  process.kill(-(child.pid ?? 0), 'SIGINT');
  expect(await said).toEqual(['windlass run watch was interrupted\n', '']);
  await api.stop();
});
