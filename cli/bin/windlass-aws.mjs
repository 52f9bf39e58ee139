#!/usr/bin/env node
import { startOnPinnedNode } from './start-on-pinned-node.mjs';

await startOnPinnedNode({
  name: 'windlass-aws',
  file: import.meta.url,
  // What a shell says of a command that is there and cannot be run.
  cannotRunStatus: 126,
  start: async () => {
    const { runAwsAdapter } = await import('../aws-adapter/run-aws-adapter.ts');
    process.exitCode = await runAwsAdapter(process.argv.slice(2), process.env, {
      input: process.stdin,
      output: process.stdout,
      errors: process.stderr,
    });
  },
});
