import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../local/wait-until.ts';
import { adapter, isAlive, StandInContainer } from './stand-in-container.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const windlass = join(repository, 'cli/bin/windlass.mjs');
const documents = join(repository, 'examples/document-digest/documents');
const reference = `kanban-artifact:v1:demo:t_1:1:${'0'.repeat(64)}`;

/** The whole way: the artifact command, windlass-compose, docker, the container and its store. */
describe('windlass artifact over windlass-compose', () => {
  let container: StandInContainer;
  beforeEach(() => {
    container = new StandInContainer();
    container.makeTask('demo', 't_1');
  });
  afterEach(() => {
    container.remove();
  });

  const start = (words: string[], env: Record<string, string | undefined> = {}) => {
    const child: ChildProcess = spawn(process.execPath, [windlass, 'artifact', ...words], {
      env: {
        ...container.environment,
        WINDLASS_WORKER_RUNTIME: `'${process.execPath}' '${adapter}'`,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = Promise.all([
      text(child.stdout!),
      text(child.stderr!),
      once(child, 'close'),
    ]).then(([stdout, stderr, [code]]) => ({ code: code as number | null, stdout, stderr }));
    return { child, ended };
  };
  const run = async (words: string[], env?: Record<string, string | undefined>) =>
    await start(words, env).ended;
  const waitForHang = async () =>
    await waitUntil(() => Promise.resolve(container.has('hanging')), {
      timeoutMs: 15_000,
      intervalMs: 10,
      what: 'the store hangs',
    });

  it.each(['winch-inspection-report.docx', 'budget-review.pptx'])(
    'A71 takes %s there and back to the byte',
    async (name) => {
      const uploaded = await run(['upload', 'demo', 't_1', join(documents, name)]);
      expect(uploaded).toMatchObject({ code: 0, stderr: '' });
      const sent = JSON.parse(uploaded.stdout) as { reference: string; uploaded_by: string };
      expect(sent.uploaded_by).toBe('default');
      const back = join(container.folder, name);
      expect(await run(['download', sent.reference, back])).toMatchObject({ code: 0, stderr: '' });
      expect(readFileSync(back).equals(readFileSync(join(documents, name)))).toBe(true);
    },
  );

  it('A72 passes the conformance check, with the example adapter as its store', async () => {
    container.makeTask('demo', 't_2');
    const runtime = `'${process.execPath}' '${adapter}'`;
    const where = ['--board', 'demo', '--task', 't_1', '--other-task', 't_2'];
    const ran = await run(['check-adapter', runtime, ...where]);
    expect(ran.stdout).not.toContain('FAIL');
    expect(ran.stdout.match(/^PASS /gm)?.length).toBeGreaterThan(20);
    expect(ran.code).toBe(0);
  }, 120_000);

  it.each([
    [3, 'artifact_not_found'],
    [4, 'artifact_too_large'],
    [5, 'artifact_integrity_failed'],
    [17, 'artifact_transport_failed'],
    [126, 'artifact_transport_unavailable'],
    [127, 'artifact_transport_unavailable'],
  ])('A59 A66 tells the status %i of the container as %s', async (status, code) => {
    const ran = await run(['upload', 'demo', 't_1', join(documents, 'budget-review.pptx')], {
      STAND_IN_EXIT: String(status),
    });
    expect(ran.code).toBe(1);
    expect(ran.stdout).toBe('');
    expect(ran.stderr).toMatch(new RegExp(`^err:${code}: .+\n$`));
  });

  it('A40 A70 says that the transport is unavailable when there is no docker', async () => {
    const ran = await run(['list', 'demo', 't_1'], { PATH: '/nonexistent' });
    expect(ran.stderr).toMatch(/^err:artifact_transport_unavailable: /);
  });

  it('A42 A64 fails, and calls no docker, when no project is named', async () => {
    const ran = await run(['list', 'demo', 't_1'], { COMPOSE_PROJECT_NAME: undefined });
    expect(ran.stderr).toMatch(/^err:artifact_transport_failed: /);
    expect(container.readWords()).toBeUndefined();
  });

  it.each([
    ['list', ['list', 'demo', 't_1']],
    ['upload', ['upload', 'demo', 't_1', join(documents, 'budget-review.pptx')]],
  ])('A41 A66 stops docker when a %s takes too long', async (_verb, words) => {
    const ran = await run([...words, '--timeout', '4'], { STAND_IN_STORE_MODE: 'hang' });
    expect(ran.code).toBe(1);
    expect(ran.stdout).toBe('');
    expect(ran.stderr).toMatch(/^err:artifact_transport_timeout: .+\n$/);
    expect(container.has('hanging')).toBe(true);
    expect(isAlive(Number(container.readRecord('pid')))).toBe(false);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('A79 stops docker on %s', async (signal) => {
    const back = join(container.folder, 'back');
    const { child, ended } = start(['download', reference, back], { STAND_IN_STORE_MODE: 'hang' });
    await waitForHang();
    child.kill(signal);
    await ended;
    expect(isAlive(Number(container.readRecord('pid')))).toBe(false);
    expect(existsSync(back)).toBe(false);
  });
});
