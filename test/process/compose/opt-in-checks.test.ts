import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StandInContainer } from './stand-in-container.ts';

const program = fileURLToPath(new URL('../../opt-in/check-compose.ts', import.meta.url));
const asked = { WINDLASS_COMPOSE_INTEGRATION: '1', WINDLASS_COMPOSE_IMAGE: 'worker@sha256:0' };

/** The checks that need a real Compose project are tried here, so that they are sound when one is there. */
describe('the opt-in check of a Compose project', () => {
  let container: StandInContainer;
  beforeEach(() => {
    container = new StandInContainer();
  });
  afterEach(() => {
    container.remove();
  });

  const check = async (env: Record<string, string>) => {
    const child = spawn(process.execPath, [program], {
      env: { ...container.environment, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number]>,
    ]);
    return { code, stdout, stderr };
  };
  const replaceDocker = (script: string) => {
    writeFileSync(join(container.bin, 'docker'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(container.bin, 'docker'), 0o755);
  };

  it('A73 says that it was not run when nobody asked for it', async () => {
    const ran = await check({});
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toMatch(/^NOT RUN: .*WINDLASS_COMPOSE_INTEGRATION=1/);
    expect(container.has('project')).toBe(false);
  });

  it.each([
    ['there is no docker', undefined],
    ['docker has no compose', 'exit 1'],
    ['no engine answers', 'test "$1" = compose'],
  ])('A73 fails and says that it was not run when %s', async (_what, script) => {
    const empty = join(container.folder, 'empty');
    mkdirSync(empty);
    if (script !== undefined) replaceDocker(script);
    const ran = await check({ ...asked, PATH: script === undefined ? empty : container.bin });
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(/^NOT RUN: /);
  });

  it('A73 takes documents through a project and removes the project', async () => {
    const ran = await check(asked);
    expect(ran.stdout).toContain('6 passed, 0 failed');
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    const [up = '', down = ''] = container.readRecord('project').trim().split('\n');
    expect(up).toMatch(/^up windlass-check-[0-9a-f]{12}$/);
    expect(down).toBe(up.replace('up', 'down'));
  });

  it('A73 fails, and removes the project all the same, when the store is at fault', async () => {
    const ran = await check({ ...asked, STAND_IN_STORE_MODE: 'lose' });
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain('FAILED  A73');
    expect(container.readRecord('project')).toContain('down windlass-check-');
  });
});
