import { writeFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { useBareStack } from '../../support/use-bare-stack.ts';

const script = path.join(import.meta.dirname, 'programs', 'obedient.mjs');
const programs = {
  courier: { script, network: 'host' as const, isEnvironment: false },
  workbench: { script, network: 'none' as const, isEnvironment: true },
};
const digest = 'ab'.repeat(32);
const knownImage = `registry.example/environment@sha256:${digest}`;

const used = useBareStack(programs);
const { register, run, reach, stop, exchangeOf, awaitFile } = used;

beforeAll(async () => {
  const environment = path.join(used.stack.environmentsFolder, 'documents-v1');
  await mkdir(environment, { recursive: true });
  await writeFile(path.join(environment, 'digest'), `sha256:${digest}\n`);
});

describe('container of local Fargate', () => {
  it('p13 a task whose image is not a built environment stops without an exit code', async () => {
    const image = `registry.example/environment@sha256:${'cd'.repeat(32)}`;
    const stopped = await reach(await run(await register({ name: 'workbench', image })), 'STOPPED');
    expect(stopped.stopCode).toBe('TaskFailedToStart');
    expect(stopped.stoppedReason).toContain('CannotPullContainerError');
    expect(stopped.containers?.[0]?.exitCode).toBeUndefined();
  });

  it('a container without a program stops the task before it runs', async () => {
    const stopped = await reach(await run(await register({ name: 'stranger' })), 'STOPPED');
    expect(stopped.stopCode).toBe('TaskFailedToStart');
    expect(stopped.stoppedReason).toContain('stranger');
  });

  it('the workbench sees neither network, nor courier, nor secrets of the stack', async () => {
    const hidden = { HIDDEN_FILE: used.stack.emulator.certificate };
    const definition = await register(
      { name: 'courier', behaviour: 'look:courier', environment: hidden },
      { name: 'workbench', behaviour: 'look:workbench', image: knownImage, environment: hidden },
    );
    const overrides = {
      containerOverrides: [{ name: 'courier', environment: [{ name: 'TICKET', value: 't-1' }] }],
    };
    const task = await run(definition, { overrides });
    const read = async (name: string) =>
      JSON.parse(await awaitFile(task, `seen-by-${name}`)) as {
        environment: Record<string, string>;
        commandLines: string[];
        interfaces: string[];
        seesSettings: boolean;
      };
    const courier = await read('courier');
    const workbench = await read('workbench');

    expect(courier.environment).toMatchObject({
      TICKET: 't-1',
      AWS_ENDPOINT_URL: used.stack.emulator.endpoint,
      WINDLASS_EXCHANGE: exchangeOf(task),
    });
    expect(courier.environment['AWS_ACCESS_KEY_ID']).toBeUndefined();
    expect(courier.seesSettings).toBe(true);
    expect(courier.interfaces.length).toBeGreaterThan(0);

    expect(workbench.environment).toMatchObject({
      WINDLASS_SANDBOX_PROFILE: 'namespaced',
      WINDLASS_EXCHANGE: exchangeOf(task),
    });
    expect(Object.keys(workbench.environment).filter((name) => name.startsWith('AWS_'))).toEqual(
      [],
    );
    expect(workbench.environment['TICKET']).toBeUndefined();
    expect(workbench.seesSettings).toBe(false);
    expect(workbench.interfaces.filter((name) => name !== 'lo')).toEqual([]);
    const node = workbench.commandLines.filter((line) => line.includes('obedient.mjs'));
    // Its own init and its own program; the courier would be two more.
    expect(node.length).toBeLessThanOrEqual(2);
    await stop(task);
    await reach(task, 'STOPPED');
  });

  it('E77 two tasks at once get different sandbox users, or none as an ordinary user', async () => {
    const definition = await register(
      { name: 'courier' },
      { name: 'workbench', behaviour: 'look:workbench', image: knownImage, essential: false },
    );
    const tasks = await Promise.all([run(definition), run(definition)]);
    const users = await Promise.all(
      tasks.map(async (task) => {
        const seen = await awaitFile(task, 'seen-by-workbench');
        const { environment } = JSON.parse(seen) as { environment: Record<string, string> };
        return environment['WINDLASS_SANDBOX_FIRST_UID'];
      }),
    );
    const isRoot = process.getuid?.() === 0;
    expect(new Set(users).size).toBe(isRoot ? 2 : 1);
    expect(users.every((user) => (user === undefined) === !isRoot)).toBe(true);
    for (const task of tasks) {
      await stop(task);
      await reach(task, 'STOPPED');
    }
  });
});
