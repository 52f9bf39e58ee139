import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../local/wait-until.ts';
import { isAlive, pretendOldNode, StandInContainer } from './stand-in-container.ts';

const wait = (what: string) => ({ timeoutMs: 15_000, intervalMs: 10, what });

describe.each([
  ['the Node of the project', [] as string[]],
  ['an older Node', pretendOldNode],
])('the process of windlass-compose, started by %s', (_name, nodeWords) => {
  let container: StandInContainer;
  beforeEach(() => {
    container = new StandInContainer();
  });
  afterEach(() => {
    container.remove();
  });

  it('A66 carries any bytes both ways, unchanged', async () => {
    const input = Buffer.concat([
      Buffer.from([0, 255, 13, 10, 26, 4, 3, 10, 13]),
      randomBytes(3_000_001),
    ]);
    const ran = await container.run(['kanban', 'copy'], { input, nodeWords });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout.equals(input)).toBe(true);
  });

  it('A66 keeps the two output streams apart', async () => {
    const ran = await container.run(['kanban', 'complain'], { nodeWords });
    expect(ran.code).toBe(9);
    expect(ran.stdout.toString()).toBe('bytes\n');
    expect(ran.stderr).toBe('complaint\n');
  });

  it.each([0, 1, 2, 3, 4, 5, 17, 125, 126, 127, 255])(
    'A66 ends with the status %i of the container',
    async (status) => {
      const ran = await container.run(['artifact-list', 'demo', 't_1', '--json'], {
        env: { STAND_IN_EXIT: String(status) },
        nodeWords,
      });
      expect(ran).toMatchObject({ code: status, signal: null, stderr: '' });
    },
  );

  it.each(['KILL', 'TERM'])('A66 ends by SIG%s when docker does', async (name) => {
    const ran = await container.run(['kanban'], { env: { STAND_IN_SIGNAL: name }, nodeWords });
    expect(ran).toMatchObject({ code: null, signal: `SIG${name}` });
  });

  it('A66 lets docker tidy up when it is told to stop', async () => {
    const { child, ended } = container.start(['kanban', 'tidy'], { nodeWords });
    await once(child.stdout!, 'data');
    child.kill('SIGTERM');
    const ran = await ended;
    expect(ran).toMatchObject({ code: 7, signal: null });
    expect(ran.stdout.toString()).toBe('ready\ntold to stop\n');
  });

  it('A49 A66 dies with its process group, and so does what docker started', async () => {
    const { child, ended } = container.start(['kanban', 'hold'], { nodeWords, detached: true });
    await waitUntil(
      () => Promise.resolve(container.has('child') && container.readRecord('child') !== ''),
      wait('the child of docker'),
    );
    process.kill(-child.pid!, 'SIGKILL');
    // The call ends when nobody holds its output pipe any more.
    expect(await ended).toMatchObject({ code: null, signal: 'SIGKILL' });
    for (const record of ['pid', 'child'])
      expect(isAlive(Number(container.readRecord(record)))).toBe(false);
  });

  it('A66 ends docker when nobody reads any more', async () => {
    const { child, ended } = container.start(['kanban', 'endless'], { nodeWords });
    await once(child.stdout!, 'data');
    child.stdout!.destroy();
    expect((await ended).code).not.toBe(0);
    expect(isAlive(Number(container.readRecord('pid')))).toBe(false);
  });

  it('A66 leaves docker no signal that is ignored or blocked', async () => {
    const ran = await container.run(['kanban', 'signals'], { nodeWords });
    expect(ran.stdout.toString()).toMatch(/^SigBlk:\s+0+\nSigIgn:\s+0+\n$/);
  });
});

describe('the process of windlass-compose', () => {
  it('A66 becomes docker itself, with nothing in between', async () => {
    const container = new StandInContainer();
    const { child, ended } = container.start(['kanban']);
    await ended;
    expect(container.readRecord('pid')).toBe(String(child.pid));
    container.remove();
  });
});
