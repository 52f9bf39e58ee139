import { constants } from 'node:os';
import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { useTinyStore } from './setting/use-tiny-store.ts';

const store = useTinyStore();
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

describe('an interrupted command', () => {
  it.each(signals)('A79 leaves no file and no adapter of a download (%s)', async (signal) => {
    const reference = await store.attach('a.txt', 'many bytes');
    const running = store.start(['download', reference, 'out'], { play: 'pause' });
    await store.waitForPause();
    expect(readdirSync(store.path())).toHaveLength(1);
    running.child.kill(signal);
    const code = 128 + constants.signals[signal];
    expect(await running.ended).toEqual({ code, stdout: '', stderr: '' });
    expect(readdirSync(store.path())).toEqual([]);
    expect(await store.waitForNoneLiving()).toEqual([]);
  });

  it.each(signals)('A79 leaves no adapter of an upload (%s)', async (signal) => {
    await writeFile(store.at('a.txt'), 'bytes');
    const running = store.start(['upload', 'demo', 't_1', 'a.txt'], { play: 'pause' });
    await store.waitForPause();
    running.child.kill(signal);
    const code = 128 + constants.signals[signal];
    expect(await running.ended).toEqual({ code, stdout: '', stderr: '' });
    expect(await store.waitForNoneLiving()).toEqual([]);
  });

  it('A79 kills an adapter that will not stop, at once at a second signal', async () => {
    const reference = await store.attach('a.txt', 'many bytes');
    const running = store.start(['download', reference, 'out'], { play: 'pause stubborn' });
    await store.waitForPause();
    running.child.kill('SIGTERM');
    running.child.kill('SIGINT');
    const start = performance.now();
    expect([130, 143]).toContain((await running.ended).code);
    expect(performance.now() - start).toBeLessThan(1_900);
    expect(readdirSync(store.path())).toEqual([]);
    expect(await store.waitForNoneLiving()).toEqual([]);
  });

  it('A79 kills an adapter that will not stop after two seconds', async () => {
    const reference = await store.attach('a.txt', 'many bytes');
    const running = store.start(['download', reference, 'out'], { play: 'pause stubborn' });
    await store.waitForPause();
    running.child.kill('SIGTERM');
    expect((await running.ended).code).toBe(143);
    expect(readdirSync(store.path())).toEqual([]);
    expect(await store.waitForNoneLiving()).toEqual([]);
  });

  it('A41 A79 leaves as little when its time is over', async () => {
    const reference = await store.attach('a.txt', 'many bytes');
    const words = ['download', reference, 'out', '--timeout', '1.5'];
    const ran = await store.run(words, { play: 'pause' });
    expect(ran.stderr).toMatch(/^err:artifact_transport_timeout: .*\n$/);
    expect(readdirSync(store.path())).toEqual([]);
    expect(await store.waitForNoneLiving()).toEqual([]);
  });
});
