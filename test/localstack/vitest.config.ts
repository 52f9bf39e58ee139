import { defineConfig } from 'vitest/config';
import { repositoryRoot } from '../local/repository-paths.ts';

/** Apart from the other projects, so that nothing but `npm run test:localstack` installs and starts LocalStack. */
export default defineConfig({
  test: {
    name: 'localstack',
    root: repositoryRoot,
    include: ['test/emulator/adapters/s3-*.test.ts', 'test/localstack/**/*.test.ts'],
    passWithNoTests: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    globalSetup: ['test/support/localstack-global-setup.ts'],
  },
});
