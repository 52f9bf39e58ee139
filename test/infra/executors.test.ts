import { describe, expect, it } from 'vitest';
import { listResources, render, synthesiseStage } from './synthesise-stage.ts';

const { control } = synthesiseStage('deployed');
const definition = listResources(control, 'AWS::ECS::TaskDefinition')[0]![1].Properties;

interface Container {
  Name: string;
  Image: string;
  Essential: boolean;
  Memory: number;
  Privileged?: boolean;
  Secrets?: unknown;
  ReadonlyRootFilesystem: boolean;
  StopTimeout: number;
  Environment: { Name: string }[];
  LinuxParameters: {
    InitProcessEnabled: boolean;
    Capabilities: { Add?: string[]; Drop: string[] };
  };
  LogConfiguration: { LogDriver: string };
  MountPoints: { ContainerPath: string; SourceVolume: string }[];
}
const containers = definition['ContainerDefinitions'] as Container[];
const courier = containers.find(({ Name }) => Name === 'courier')!;
const workbench = containers.find(({ Name }) => Name === 'workbench')!;

describe('executors', () => {
  it('have no task role, so that no container has credentials', () => {
    expect(definition).not.toHaveProperty('TaskRoleArn');
    expect(definition['ExecutionRoleArn']).toBeDefined();
  });

  it('are one task of two containers in a network of its own', () => {
    expect(containers.map(({ Name }) => Name)).toEqual(['courier', 'workbench']);
    expect(definition).toMatchObject({
      NetworkMode: 'awsvpc',
      RequiresCompatibilities: ['FARGATE'],
    });
  });

  it('p12 end with their courier, not with their workbench', () => {
    expect(courier.Essential).toBe(true);
    expect(workbench.Essential).toBe(false);
  });

  it.each(containers)('pin the image of $Name by digest', ({ Image }) => {
    expect(Image).toMatch(/@sha256:[0-9a-f]{64}$/);
  });

  it.each(containers)('lock down $Name', (container) => {
    expect(container.ReadonlyRootFilesystem).toBe(true);
    expect(container.Privileged).toBeUndefined();
    expect(container.LinuxParameters.InitProcessEnabled).toBe(true);
    expect(container.LinuxParameters.Capabilities.Add).toBeUndefined();
    expect(container.Memory).toBeGreaterThan(0);
    expect(container.StopTimeout).toBe(30);
    expect(container.LogConfiguration.LogDriver).toBe('awslogs');
  });

  it('E79 E80 give the workbench its tree and the exchange to write in, and the courier no tree', () => {
    const paths = (container: typeof workbench) =>
      container.MountPoints.map(({ ContainerPath }) => ContainerPath).sort();
    expect(paths(workbench)).toEqual(['/exchange', '/tmp', '/work']);
    expect(paths(courier)).toEqual(['/exchange', '/tmp']);
    const own = (container: typeof workbench) =>
      container.MountPoints.map(({ SourceVolume }) => SourceVolume).filter(
        (name) => name !== 'exchange',
      );
    expect(own(workbench).filter((name) => own(courier).includes(name))).toEqual([]);
  });

  it('leave the workbench three capabilities and the courier none', () => {
    expect(courier.LinuxParameters.Capabilities.Drop).toEqual(['ALL']);
    const dropped = workbench.LinuxParameters.Capabilities.Drop;
    for (const kept of ['SETUID', 'SETGID', 'KILL']) expect(dropped).not.toContain(kept);
    const others = 14 - 3;
    expect(new Set(dropped).size).toBe(others);
  });

  it('fit into the memory of the task', () => {
    const sum = containers.reduce((total, { Memory }) => total + Memory, 0);
    expect(sum).toBeLessThanOrEqual(Number(definition['Memory']));
  });

  it('p52 are told addresses and folders, never a secret', () => {
    expect(courier.Environment.map(({ Name }) => Name)).toEqual([
      'WINDLASS_EXECUTOR_API',
      'WINDLASS_EXCHANGE',
    ]);
    expect(workbench.Environment.map(({ Name }) => Name)).toEqual([
      'WINDLASS_EXCHANGE',
      'WINDLASS_SANDBOX_PROFILE',
      'WINDLASS_ENVIRONMENTS',
    ]);
    expect(containers.every(({ Secrets }) => Secrets === undefined)).toBe(true);
  });

  it('do not tell the workbench where the executor API is', () => {
    expect(render(workbench.Environment)).not.toContain('EXECUTOR_API');
  });

  it('are counted by container insights', () => {
    control.hasResourceProperties('AWS::ECS::Cluster', {
      ClusterSettings: [{ Name: 'containerInsights', Value: 'enabled' }],
    });
  });
});
