#!/usr/bin/env node
import { startOnPinnedNode } from './start-on-pinned-node.mjs';

await startOnPinnedNode({
  name: 'windlass-compose',
  file: import.meta.url,
  // What a shell says of a command that is there and cannot be run.
  cannotRunStatus: 126,
  start: async () => {
    const { runComposeAdapter } = await import('../compose/run-compose-adapter.ts');
    runComposeAdapter(process.argv.slice(2));
  },
});
