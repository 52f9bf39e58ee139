import { expect, it } from 'vitest';
import type { Verdict } from '../../../cli/artifact-check/conformance-check.ts';
import { runArtifactCommand } from '../../support/artifact-adapters/run-artifact-command.ts';
import { adapter, StandInContainer } from '../compose/stand-in-container.ts';

/** Some sixty calls, each through three programs. */
const patientMilliseconds = 180_000;

it(
  'A72 windlass-compose keeps the contract, over a stand-in docker and the example store behind it',
  async () => {
    const container = new StandInContainer();
    container.makeTask('fleet', 't_check');
    container.makeTask('fleet', 't_other');
    try {
      const runtime = `${process.execPath} ${adapter}`;
      const tasks = ['--board', 'fleet', '--task', 't_check', '--other-task', 't_other'];
      const ran = await runArtifactCommand({
        words: ['check-adapter', runtime, ...tasks, '--json'],
        folder: container.folder,
        env: { ...container.environment, FLEET_TOKEN: 'canary-of-the-host' },
      });
      const { checks } = JSON.parse(ran.stdout) as { checks: Verdict[] };
      const unseen = ['hash-of-the-stored-bytes', 'native-write-path', 'authentication'];
      expect(checks.filter(({ verdict }) => verdict === 'FAIL')).toEqual([]);
      expect(checks.filter(({ verdict }) => verdict === 'SKIP').map(({ name }) => name)).toEqual([
        ...unseen,
        'survives-cleanup',
      ]);
      expect(ran.status).toBe(0);
    } finally {
      container.remove();
    }
  },
  patientMilliseconds,
);
