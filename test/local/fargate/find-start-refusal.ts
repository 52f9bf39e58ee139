import { access } from 'node:fs/promises';
import path from 'node:path';
import { repositoryRoot } from '../repository-paths.ts';
import type { FargateSettings } from './fargate-settings.ts';
import { isKnownImage } from './known-images.ts';
import { cannotPullImage, cannotStartContainer, type StopCause } from './stop-cause.ts';
import type { TaskRecord } from './task-record.ts';

/** Why ECS would not start this task; undefined when nothing speaks against it. */
export async function findStartRefusal(
  record: TaskRecord,
  settings: Pick<FargateSettings, 'programs' | 'environmentsFolder'>,
): Promise<StopCause | undefined> {
  for (const { name, image } of record.containerDefinitions) {
    const program = settings.programs[name];
    if (program === undefined) {
      const known = Object.keys(settings.programs).join(', ');
      return cannotStartContainer(`container "${name}" has no program here; known: ${known}`);
    }
    if (program.isEnvironment && !(await isKnownImage(image, settings.environmentsFolder))) {
      return cannotPullImage(image);
    }
    const script = path.resolve(repositoryRoot, program.script);
    const isBuilt = await access(script).then(
      () => true,
      () => false,
    );
    if (!isBuilt) return cannotStartContainer(`${program.script} is missing. Run: npm run build`);
  }
  return undefined;
}
