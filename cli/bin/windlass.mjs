#!/usr/bin/env node
import { startOnPinnedNode } from './start-on-pinned-node.mjs';

await startOnPinnedNode({
  name: 'windlass',
  file: import.meta.url,
  cannotRunStatus: 3,
  start: async () => {
    const { main } = await import('../main.ts');
    await main(process.argv.slice(2));
  },
});
