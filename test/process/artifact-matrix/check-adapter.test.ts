import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../../cli/artifact-check/conformance-check.ts';
import { runArtifactCommand } from '../../support/artifact-adapters/run-artifact-command.ts';
import { makeFixtureStore } from '../../support/artifact-adapters/use-fixture-store.ts';

const token = 'fixture-token-8d2c';
const usualWords = ['--board', 'fleet', '--task', 't_check', '--other-task', 't_other', '--json'];

async function examine(fault: string | undefined, words: string[] = []) {
  const store = makeFixtureStore();
  store.makeTask('fleet', 't_check');
  store.makeTask('fleet', 't_other');
  try {
    const ran = await runArtifactCommand({
      words: ['check-adapter', store.runtime(fault), ...usualWords, ...words],
      folder: store.work,
      env: { FIXTURE_TOKEN: token },
    });
    const told = JSON.parse(ran.stdout) as { conforms: boolean; checks: Verdict[] };
    const named = (verdict: string) =>
      told.checks.filter((check) => check.verdict === verdict).map(({ name }) => name);
    return { ran, told, failed: named('FAIL'), skipped: named('SKIP') };
  } finally {
    store.remove();
  }
}

const unseen = [
  'hash-of-the-stored-bytes',
  'native-write-path',
  'authentication',
  'survives-cleanup',
];

/** Each fault with the checks that it must fail, of all checks there are. */
const wholly: [fault: string, failed: string[]][] = [
  ['verifies-nothing', ['fewer-bytes', 'more-bytes', 'other-bytes']],
  ['downloads-across-tasks', ['absent-task', 'other-task']],
];

/** Each fault with the one check that is made. */
const singly: [fault: string, check: string][] = [
  ['has-no-cap', 'above-the-cap'],
  ['says-1-above-cap', 'above-the-cap'],
  ['says-1-for-mismatch', 'other-bytes'],
  ['says-1-for-absent', 'absent-attachment'],
  ['keeps-what-is-broken-off', 'broken-off'],
  ['lists-absent-task-as-empty', 'absent-task'],
  ['lists-the-whole-board', 'other-task'],
  ['adds-a-line-end', 'empty-file'],
  ['drops-carriage-returns', 'exact-bytes'],
  ['reads-text', 'exact-bytes'],
  ['sends-base64', 'large-file'],
  ['sends-one-pipe', 'large-file'],
  ['renames-the-second', 'same-name-twice'],
  ['replaces-by-name', 'same-name-twice'],
  ['asks-a-shell-for-the-name', 'literal-words'],
  ['forgets-the-media-type', 'record-of-an-upload'],
  ['refuses-empty-files', 'empty-file'],
  ['drops-carriage-returns', 'command-round-trip'],
  ['lists-no-checksum', 'upload'],
  ['lists-capital-checksum', 'upload'],
  ['lists-text-ids', 'upload'],
  ['lists-one-a-line', 'listing'],
  ['logs-on-stdout', 'listing'],
];

/** A whole check starts the adapter some sixty times. */
const patientMilliseconds = 120_000;

describe.concurrent('artifact check-adapter', { timeout: patientMilliseconds }, () => {
  it('A51 passes the fixture adapter in every check that can be made from outside', async () => {
    const { ran, told, failed, skipped } = await examine(undefined, ['--at-cap']);
    expect({ failed, skipped, status: ran.status }).toEqual({
      failed: [],
      skipped: unseen,
      status: 0,
    });
    expect(told.conforms).toBe(true);
    expect(told.checks.length).toBeGreaterThan(24);
    expect(ran.stderr).toBe('');
  });

  it.each(wholly)('A51 fails an adapter that %s, in %j and nothing else', async (fault, names) => {
    const { ran, told, failed } = await examine(fault);
    expect({ failed, status: ran.status }).toEqual({ failed: names, status: 1 });
    expect(told.conforms).toBe(false);
    expect(ran.stdout + ran.stderr).not.toContain(token);
  });

  it('A60 fails an adapter that prints a credential, and does not repeat it', async () => {
    const words = ['--only', 'absent-attachment', 'printed-secrets'];
    const { ran, failed } = await examine('prints-its-token', words);
    expect(failed).toEqual(['printed-secrets']);
    expect(ran.stdout).toContain('FIXTURE_TOKEN');
    expect(ran.stdout + ran.stderr).not.toContain(token);
  });

  it.each(singly)('A51 fails an adapter that %s, in %s', async (fault, check) => {
    const { ran, failed } = await examine(fault, ['--only', check]);
    expect({ failed, status: ran.status }).toEqual({ failed: [check], status: 1 });
  });

  it('A17 makes the check at the cap when it is named, without more words', async () => {
    const { told, failed } = await examine(undefined, ['--only', 'at-the-cap']);
    expect(told.checks.map(({ name }) => name)).toEqual(['listing', 'upload', 'at-the-cap']);
    expect(failed).toEqual([]);
  });

  it('A58 says that a second task is needed to see whether tasks are kept apart', async () => {
    const store = makeFixtureStore();
    store.makeTask('fleet', 't_check');
    const words = ['check-adapter', store.runtime(), '--board', 'fleet', '--task', 't_check'];
    const ran = await runArtifactCommand({
      words: [...words, '--only', 'other-task'],
      folder: store.work,
    });
    store.remove();
    expect(ran.status).toBe(0);
    expect(ran.stdout).toMatch(/^SKIP A58 A59 other-task: .*\n {5}give --other-task/m);
    expect(ran.stdout).toMatch(/^PASS A53 A55 listing: /m);
  });

  it('A40 asks nothing more of an adapter that cannot be started', async () => {
    const ran = await runArtifactCommand({
      words: ['check-adapter', '/nonexistent/adapter', ...usualWords],
      folder: '/',
    });
    const { checks } = JSON.parse(ran.stdout) as { checks: Verdict[] };
    expect(ran.status).toBe(1);
    expect(checks[0]?.verdict).toBe('FAIL');
    expect(checks[0]?.detail).toContain('could not be started');
    expect(checks.slice(1).every(({ verdict }) => verdict === 'SKIP')).toBe(true);
  });

  it.each([
    ['a quote without an end', ['"/bin/true', ...usualWords]],
    ['no program', [' ', ...usualWords]],
    ['a check that is none', ['/bin/true', ...usualWords, '--only', 'everything']],
    ['one task twice', ['/bin/true', '-b', 'fleet', '--task', 't_1', '--other-task', 't_1']],
    ['no task', ['/bin/true', '--board', 'fleet']],
    ['a time-out of nothing', ['/bin/true', ...usualWords, '--timeout', '0']],
  ])('refuses a command line with %s as usage', async (_case, words) => {
    const ran = await runArtifactCommand({ words: ['check-adapter', ...words], folder: '/' });
    expect(ran.status).toBe(2);
  });
});
