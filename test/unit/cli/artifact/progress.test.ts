import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { artifactHints } from '../../../../cli/artifact/artifact-failure.ts';
import { useTinyStore } from './setting/use-tiny-store.ts';
import { waitUntil } from './setting/wait-until.ts';

const store = useTinyStore();
const escape = '\u001b';
const clear = `\r${escape}[2K`;

/** Runs a program on a terminal of its own and copies to standard output what it writes there. */
const onTerminal = [
  'python3',
  '-c',
  'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))',
];

describe('a slow transfer', () => {
  it('A5 is told on a terminal and wiped away before the result', async () => {
    const reference = await store.attach('a.txt', 'many bytes');
    const running = store.start(['download', reference, 'out'], {
      play: 'pause',
      prefix: onTerminal,
      env: { TERM: 'xterm' },
    });
    await waitUntil('progress is shown', () => running.said.stdout.includes('downloading: 5 B'));
    store.letGo();
    const { code, stdout } = await running.ended;
    expect(code).toBe(0);
    const wiped = stdout.lastIndexOf(clear) + clear.length;
    expect(JSON.parse(stdout.slice(wiped))).toMatchObject({ destination: 'out' });
    expect(readFileSync(store.at('out'), 'utf8')).toBe('many bytes');
  });

  it('A19 is wiped away before the line of a failure', async () => {
    const reference = await store.attach('a.txt', 'many bytes');
    const running = store.start(['download', reference, 'out'], {
      play: 'pause fail',
      prefix: onTerminal,
      env: { TERM: 'xterm' },
    });
    await waitUntil('progress is shown', () => running.said.stdout.includes('downloading'));
    store.letGo();
    const { code, stdout } = await running.ended;
    expect(code).toBe(1);
    const { artifact_transport_failed: hint } = artifactHints;
    expect(stdout.endsWith(`${clear}err:artifact_transport_failed: ${hint}\r\n`)).toBe(true);
  });

  it.each([
    ['a terminal that cannot wipe', { TERM: 'dumb' }, onTerminal],
    ['a pipe', { TERM: 'xterm' }, []],
  ])('A5 is not told on %s', async (_where, env, prefix) => {
    const reference = await store.attach('a.txt', 'many bytes');
    const words = ['download', reference, 'out', '--timeout', '3'];
    const ran = await store.run(words, { play: 'pause', prefix, env });
    expect(`${ran.stdout}${ran.stderr}`).not.toContain('downloading');
    expect(`${ran.stdout}${ran.stderr}`).toMatch(/^err:artifact_transport_timeout: .*\r?\n$/);
  });
});
