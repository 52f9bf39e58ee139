import { defineConfig } from 'vitest/config';

const project = (name: string, include: string[], extra: Record<string, unknown> = {}) => ({
  extends: true as const,
  test: { name, include, ...extra },
});

export default defineConfig({
  test: {
    passWithNoTests: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      project('unit', ['test/unit/**/*.test.ts']),
      // Programs of ours, started as a person or another program starts them, over adapters of every kind.
      project('process', ['test/process/**/*.test.ts'], { testTimeout: 60_000 }),
      project('property', ['test/property/**/*.test.ts'], { testTimeout: 120_000 }),
      project('infra', ['test/infra/**/*.test.ts'], { testTimeout: 120_000, hookTimeout: 120_000 }),
      project('sandbox', ['test/sandbox/**/*.test.ts'], {
        testTimeout: 120_000,
        fileParallelism: false,
      }),
      project('emulator', ['test/emulator/**/*.test.ts'], {
        testTimeout: 120_000,
        hookTimeout: 180_000,
        globalSetup: ['test/support/emulator-global-setup.ts'],
      }),
      project('e2e', ['test/e2e/**/*.test.ts'], {
        testTimeout: 300_000,
        hookTimeout: 600_000,
        fileParallelism: false,
        globalSetup: ['test/support/stack-global-setup.ts'],
      }),
    ],
  },
});
