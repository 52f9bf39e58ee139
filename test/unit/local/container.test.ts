import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { composeContainerCommand } from '../../local/fargate/container-command.ts';
import { composeContainerEnvironment } from '../../local/fargate/container-environment.ts';
import { isKnownImage } from '../../local/fargate/known-images.ts';
import type { ContainerDefinition, TaskRecord } from '../../local/fargate/task-record.ts';

const courier = { script: 'c.mjs', network: 'host' as const, isEnvironment: false };
const workbench = { script: 's.mjs', network: 'none' as const, isEnvironment: true };
const place = {
  script: '/repository/c.mjs',
  node: '/node',
  exchange: '/stacks/s/tasks/t/exchange',
  temporaryFolder: '/stacks/s/tasks/t/tmp',
  hiddenFolder: '/stacks',
};
const definition: ContainerDefinition = {
  name: 'courier',
  image: 'i',
  essential: true,
  stopTimeout: 30,
  environment: [
    { name: 'API', value: 'https://ab.execute-api.us-east-1.amazonaws.com/prod' },
    { name: 'WINDLASS_EXCHANGE', value: '/exchange' },
    { name: 'LEVEL', value: 'info' },
  ],
};
const task: TaskRecord = {
  taskArn: 'arn:aws:ecs:us-east-1:000000000000:task/c/0123456789abcdef',
  desiredStatus: 'RUNNING',
  lastStatus: 'PENDING',
  containerDefinitions: [definition],
  overrides: {
    containerOverrides: [{ name: 'courier', environment: [{ name: 'LEVEL', value: 'debug' }] }],
  },
};
const surroundings = {
  endpoint: 'https://127.0.0.1:4000',
  certificate: '/stacks/s/certificate.pem',
  region: 'us-east-1',
  instanceId: 'i-1',
  exchange: place.exchange,
  temporaryFolder: place.temporaryFolder,
  environmentsFolder: '/environments',
  sandboxUid: 61_207,
};

describe('container command', () => {
  it('lets an ordinary user in by a user namespace, and root without one', () => {
    expect(composeContainerCommand(courier, place, false)).toContain('--unshare-user');
    expect(composeContainerCommand(courier, place, true)).not.toContain('--unshare-user');
  });

  it('takes network and stacks folder from a container without network, and from no other', () => {
    const closed = composeContainerCommand(workbench, place, true);
    expect(closed).toContain('--unshare-net');
    expect(closed.join(' ')).toContain('--tmpfs /stacks --bind');
    const open = composeContainerCommand(courier, place, true);
    expect(open).not.toContain('--unshare-net');
    expect(open).not.toContain('--tmpfs');
  });

  it.each([courier, workbench])('dies with its parent, whatever the container', (program) => {
    expect(composeContainerCommand(program, place, true)).toContain('--die-with-parent');
    expect(composeContainerCommand(program, place, true)).toContain('--unshare-pid');
  });
});

describe('container environment', () => {
  it('is the task definition, then the overrides, then what stands in for the service', () => {
    const environment = composeContainerEnvironment(task, definition, courier, surroundings);
    expect(environment).toMatchObject({
      LEVEL: 'debug',
      API: 'https://127.0.0.1:4000/_aws/execute-api/ab/prod',
      WINDLASS_EXCHANGE: place.exchange,
      AWS_ENDPOINT_URL: surroundings.endpoint,
    });
    expect(environment['WINDLASS_SANDBOX_PROFILE']).toBeUndefined();
  });

  it('p52 of a container without network names no endpoint and takes no other override', () => {
    const other = { ...definition, name: 'workbench' };
    const environment = composeContainerEnvironment(task, other, workbench, surroundings);
    expect(environment['LEVEL']).toBe('info');
    expect(environment['WINDLASS_SANDBOX_PROFILE']).toBe('namespaced');
    expect(environment['WINDLASS_SANDBOX_FIRST_UID']).toBe('61207');
    expect(Object.keys(environment).filter((name) => name.startsWith('AWS_'))).toEqual([]);
  });
});

describe('image', () => {
  const digest = '0a'.repeat(32);
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'windlass-images-'));
    await mkdir(path.join(folder, 'documents-v1'));
    await writeFile(path.join(folder, 'documents-v1', 'digest'), `sha256:${digest}\n`);
  });

  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  it('is known when it is pinned to the digest of a built environment', async () => {
    expect(await isKnownImage(`r.example/documents@sha256:${digest}`, folder)).toBe(true);
  });

  it.each([
    `r.example/documents@sha256:${'0b'.repeat(32)}`,
    `r.example/documents@sha256:${digest}0`,
    'r.example/documents:latest',
    'r.example/documents',
  ])('%s is not known', async (image) => {
    expect(await isKnownImage(image, folder)).toBe(false);
  });

  it('is not known where nothing was built', async () => {
    const nowhere = path.join(folder, 'nowhere');
    expect(await isKnownImage(`r.example/documents@sha256:${digest}`, nowhere)).toBe(false);
  });
});
