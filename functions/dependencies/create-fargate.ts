import { z } from 'zod';
import { createEcsClient } from '../adapters/aws-clients.ts';
import { createEcsFargateTasks } from '../adapters/ecs-fargate-tasks.ts';
import type { FargateTasks } from '../ports/fargate-tasks.ts';
import { readSetting, type Settings } from './read-setting.ts';

const taskDefinitions = z.record(z.string(), z.string());
const names = z.array(z.string());

/** Fargate tasks in the stack's cluster; a Lambda that launches none is given no task definitions. */
export function createFargate(settings: Settings): FargateTasks {
  return createEcsFargateTasks({
    client: createEcsClient(settings),
    cluster: readSetting(settings, 'WINDLASS_CLUSTER_ARN'),
    taskDefinitions: taskDefinitions.parse(
      JSON.parse(settings['WINDLASS_TASK_DEFINITIONS'] ?? '{}'),
    ),
    subnets: names.parse(JSON.parse(settings['WINDLASS_SUBNETS'] ?? '[]')),
    securityGroups: names.parse(JSON.parse(settings['WINDLASS_SECURITY_GROUPS'] ?? '[]')),
  });
}
