import { join } from 'node:path';
import { buildEnvironments } from '../executor-task/environments/build-environments.ts';
import { bundleExecutorTask } from './bundle-executor-task.ts';
import { bundleFunctions } from './bundle-functions.ts';
import { repositoryRoot } from './repository-root.ts';

/** Everything that is deployed, made from the sources into `dist/`. */
await Promise.all([
  bundleFunctions(),
  bundleExecutorTask(),
  buildEnvironments({
    repositoryRoot,
    outputRoot: join(repositoryRoot, 'dist/environments'),
    pin: false,
  }),
]);
