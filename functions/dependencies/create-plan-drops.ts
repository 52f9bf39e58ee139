import { createS3Client } from '../adapters/aws-clients.ts';
import { createS3PlanDrops } from '../adapters/s3-plan-drops.ts';
import type { PlanDrops } from '../ports/plan-drops.ts';
import { readSetting, type Settings } from './read-setting.ts';

export function createPlanDrops(settings: Settings): PlanDrops {
  return createS3PlanDrops({
    client: createS3Client(settings),
    bucket: readSetting(settings, 'WINDLASS_DROP_BUCKET'),
  });
}
