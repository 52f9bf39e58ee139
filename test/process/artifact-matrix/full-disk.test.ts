import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { prepareBubblewrap } from '../../local/prepare-bubblewrap.ts';
import {
  executable,
  runArtifactCommand,
} from '../../support/artifact-adapters/run-artifact-command.ts';
import {
  makeFixtureStore,
  type FixtureStore,
} from '../../support/artifact-adapters/use-fixture-store.ts';

const diskBytes = 1024 * 1024;
const disk = '/mnt';

let store: FixtureStore;

beforeEach(() => {
  store = makeFixtureStore();
  store.makeTask('fleet', 't_1');
});

afterEach(() => {
  store.remove();
});

/** Uploads random bytes, and downloads them onto a small disk of their own; tells what is on the disk afterwards. */
async function downloadOntoDisk(bytes: number, ...more: string[]) {
  writeFileSync(path.join(store.work, 'file'), randomBytes(bytes));
  const words = ['upload', 'fleet', 't_1', 'file', '--worker-runtime', store.runtime()];
  const uploaded = await runArtifactCommand({ words, folder: store.work });
  const { reference } = JSON.parse(uploaded.stdout) as { reference: string };
  const script = `printf older > older; "$@"; status=$?; ls -A >&2; cat older >&2; exit $status`;
  await prepareBubblewrap();
  return execa(
    'bwrap',
    [
      ...(process.getuid?.() === 0 ? [] : ['--unshare-user']),
      ...['--dev-bind', '/', '/', '--size', String(diskBytes), '--tmpfs', disk, '--chdir', disk],
      ...['--', 'sh', '-c', script, 'sh', process.execPath, executable, 'artifact', 'download'],
      ...[reference, ...more, '--worker-runtime', store.runtime()],
    ],
    { reject: false, stdin: 'ignore' },
  );
}

describe('a disk that fills up', () => {
  it('A38 A44 is a bad destination, and nothing of the file stays on it', async () => {
    const ran = await downloadOntoDisk(2 * diskBytes, 'new');
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toMatch(/^err:artifact_destination_invalid: [^\n]+\nolder\nolder$/);
  });

  it('A46 keeps the file that was to be replaced', async () => {
    const ran = await downloadOntoDisk(2 * diskBytes, 'older', '--overwrite');
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toMatch(/^err:artifact_destination_invalid: [^\n]+\nolder\nolder$/);
  });

  it('A44 is none for a file that it has room for', async () => {
    const ran = await downloadOntoDisk(diskBytes / 2, 'new');
    expect(ran).toMatchObject({ exitCode: 0, stderr: 'new\nolder\nolder' });
  });
});
