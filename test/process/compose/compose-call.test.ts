import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pretendOldNode, StandInContainer } from './stand-in-container.ts';

const actor = ['HERMES_PROFILE=default', 'HERMES_PROFILE_NAME=default'];
const intoHermes = ['compose', '-p', 'worker', 'exec', '-T', 'hermes'];

describe('what windlass-compose tells docker', () => {
  let container: StandInContainer;
  beforeEach(() => {
    container = new StandInContainer();
  });
  afterEach(() => {
    container.remove();
  });

  it.each([
    [['--help']],
    [['--', 'list']],
    [['show', '', 't_1', '']],
    [['--board', 'a b', "it's", '$(id)', '`id`', '*', 'x;y', '-T', '--env', 'new\nline', 'ü']],
    [['-h', '--version', '--json']],
    [[]],
  ])('A62 passes kanban on with %j unchanged', async (rest) => {
    const ran = await container.run(['kanban', ...rest]);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout.toString()).toBe(['kanban', ...rest].map((word) => `${word}\0`).join(''));
    expect(container.readWords()).toEqual([
      ...intoHermes,
      'env',
      ...actor,
      'hermes',
      'kanban',
      ...rest,
    ]);
  });

  it.each([
    ['artifact-upload', ['demo', 't_1', '--name', 'a b.docx', '--size', '0', '--json']],
    ['artifact-list', ['demo', 't_1', '--json']],
    ['artifact-download', ['demo', 't_1', '41']],
  ])('A65 A69 hands %s to the helper of the image', async (verb, rest) => {
    await container.run([verb, ...rest], { env: { STAND_IN_EXIT: '0' } });
    expect(container.readWords()).toEqual([
      ...intoHermes,
      'env',
      ...actor,
      'PYTHONPATH=/opt/hermes-helmet/src',
      '/opt/hermes/.venv/bin/python',
      '-m',
      'hermes_helmet.native_artifacts',
      verb,
      ...rest,
    ]);
  });

  it('A65 keeps the bytes out of every argument and of the environment', async () => {
    await container.run(['kanban', 'copy'], { input: Buffer.from('canary-of-the-document') });
    expect(container.readRecord('words')).not.toContain('canary');
    expect(container.readRecord('environment')).not.toContain('canary');
  });

  it('A67 pins the identity, whatever the host and the Compose file say', async () => {
    const ran = await container.run(['kanban', 'identity']);
    expect(ran.stdout.toString()).toBe('default default\n');
  });

  it.each([
    ['ledger-root'],
    ['ledger-watch'],
    ['dispatch-root'],
    ['prepare-repo'],
    ['wait'],
    ['artifact'],
    ['artifact-delete'],
    ['Kanban'],
    ['--help'],
    ['--version'],
    ['--'],
    [''],
    ['constructor'],
  ])('A63 refuses the verb "%s" and leaves docker alone', async (verb) => {
    const ran = await container.run([verb, 'demo', 't_1']);
    expect(ran.code).toBe(2);
    expect(ran.stdout).toHaveLength(0);
    expect(ran.stderr).toMatch(/^err:unsupported_verb: .+\n$/);
    expect(container.readWords()).toBeUndefined();
  });

  it('A63 refuses to be called without a verb', async () => {
    expect(await container.run([])).toMatchObject({ code: 2 });
    expect(container.readWords()).toBeUndefined();
  });

  it('A78 says the same of every refused verb', async () => {
    const one = await container.run(['secret-verb', 'canary']);
    const other = await container.run(['wait']);
    expect(one.stderr).toBe(other.stderr);
  });

  describe.each([['COMPOSE_FILE'], ['COMPOSE_PROJECT_NAME']])('without %s', (name) => {
    it.each([[undefined], ['']])('A64 refuses when it is %j', async (value) => {
      for (const words of [
        ['kanban', 'list'],
        ['artifact-list', 'demo', 't_1', '--json'],
      ]) {
        const ran = await container.run(words, { env: { [name]: value } });
        expect(ran.code).toBe(2);
        expect(ran.stderr).toMatch(/^err:compose_project_unset: .+\n$/);
      }
      expect(container.readWords()).toBeUndefined();
    });
  });

  it('A64 takes no other project than the one that is set', async () => {
    await container.run(['kanban', 'list'], { env: { COMPOSE_PROJECT_NAME: 'other' } });
    expect(container.readWords()?.slice(0, 3)).toEqual(['compose', '-p', 'other']);
    expect(container.readRecord('environment')).toContain(
      `COMPOSE_FILE=${container.environment['COMPOSE_FILE'] ?? ''}\0`,
    );
  });

  describe.each([
    ['the Node of the project', [] as string[]],
    ['an older Node', pretendOldNode],
  ])('started by %s', (_name, nodeWords) => {
    it('A70 ends with 127 when docker is not there', async () => {
      const empty = join(container.folder, 'empty');
      mkdirSync(empty);
      const ran = await container.run(['kanban'], { env: { PATH: empty }, nodeWords });
      expect(ran).toMatchObject({ code: 127, signal: null });
      expect(ran.stdout).toHaveLength(0);
    });

    it('A70 ends with 126 when docker cannot be run', async () => {
      chmodSync(join(container.bin, 'docker'), 0o644);
      const ran = await container.run(['kanban'], { env: { PATH: container.bin }, nodeWords });
      expect(ran).toMatchObject({ code: 126, signal: null });
    });

    it('A62 passes the arguments on unchanged', async () => {
      await container.run(['kanban', '', '--', '--help'], { nodeWords });
      expect(container.readWords()?.slice(-4)).toEqual(['kanban', '', '--', '--help']);
    });
  });

  it('A70 ends with 127 when what docker is run by is not there', async () => {
    rmSync(join(container.bin, 'docker'));
    const ran = await container.run(['artifact-list', 'demo', 't_1', '--json'], {
      env: { PATH: container.bin },
    });
    expect(ran.code).toBe(127);
  });
});
