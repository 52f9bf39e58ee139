import { Stack } from 'aws-cdk-lib';
import { CfnTaskDefinition } from 'aws-cdk-lib/aws-ecs';
import type { Construct } from 'constructs';
import type { EnvironmentVersion, Stage } from '../stage-config.ts';

export interface TaskDefinitionProps {
  stage: Stage;
  environment: EnvironmentVersion;
  executorApiUrl: string;
  executionRoleArn: string;
  logGroupName: string;
}

/**
 * What Docker gives a container by default, without SETUID, SETGID and KILL, by which the supervisor
 * becomes the user of a command and ends its processes. Fargate cannot drop ALL and add some back.
 */
const droppedCapabilities = [
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'MKNOD',
  'NET_BIND_SERVICE',
  'NET_RAW',
  'SETFCAP',
  'SETPCAP',
  'SYS_CHROOT',
];

const stopTimeoutSeconds = 30;

/** One version of an environment: courier and workbench in one task, without a task role. */
export function createTaskDefinition(
  scope: Construct,
  id: string,
  props: TaskDefinitionProps,
): CfnTaskDefinition {
  return new CfnTaskDefinition(scope, id, {
    family: `${props.stage.prefix}-${props.environment.name}`,
    requiresCompatibilities: ['FARGATE'],
    networkMode: 'awsvpc',
    runtimePlatform: {
      operatingSystemFamily: 'LINUX',
      cpuArchitecture: props.stage.taskArchitecture,
    },
    cpu: '1024',
    memory: '4096',
    executionRoleArn: props.executionRoleArn,
    volumes: ['exchange', 'courier-tmp', 'workbench-tmp', 'workbench-work'].map((name) => ({
      name,
    })),
    containerDefinitions: [
      describeContainer(scope, props, {
        name: 'courier',
        image: props.stage.courierImage,
        essential: true,
        memory: 768,
        droppedCapabilities: ['ALL'],
        folders: { tmp: '/tmp' },
        environment: {
          WINDLASS_EXECUTOR_API: props.executorApiUrl,
          WINDLASS_EXCHANGE: '/exchange',
        },
      }),
      describeContainer(scope, props, {
        name: 'workbench',
        image: props.environment.image,
        essential: false,
        memory: 3072,
        droppedCapabilities,
        // The tree of an attempt: the one place beside /tmp where its command may write.
        folders: { tmp: '/tmp', work: '/work' },
        environment: {
          WINDLASS_EXCHANGE: '/exchange',
          WINDLASS_SANDBOX_PROFILE: 'fargate',
          WINDLASS_ENVIRONMENTS: '/opt/environments',
        },
      }),
    ],
  });
}

interface Container {
  name: 'courier' | 'workbench';
  image: string;
  essential: boolean;
  /** MiB; above it the container is killed. */
  memory: number;
  droppedCapabilities: string[];
  /** Writable folders of its own, by the end of the volume's name. */
  folders: Record<string, string>;
  environment: Record<string, string>;
}

function describeContainer(
  scope: Construct,
  props: TaskDefinitionProps,
  container: Container,
): CfnTaskDefinition.ContainerDefinitionProperty {
  return {
    name: container.name,
    image: container.image,
    essential: container.essential,
    memory: container.memory,
    readonlyRootFilesystem: true,
    stopTimeout: stopTimeoutSeconds,
    linuxParameters: {
      initProcessEnabled: true,
      capabilities: { drop: container.droppedCapabilities },
    },
    environment: Object.entries(container.environment).map(([name, value]) => ({ name, value })),
    mountPoints: [
      { sourceVolume: 'exchange', containerPath: '/exchange', readOnly: false },
      ...Object.entries(container.folders).map(([name, containerPath]) => ({
        sourceVolume: `${container.name}-${name}`,
        containerPath,
        readOnly: false,
      })),
    ],
    logConfiguration: {
      logDriver: 'awslogs',
      options: {
        'awslogs-group': props.logGroupName,
        'awslogs-region': Stack.of(scope).region,
        'awslogs-stream-prefix': props.environment.name,
        mode: 'non-blocking',
        'max-buffer-size': '1m',
      },
    },
  };
}
