import { readFargateSettings } from './fargate-settings.ts';
import { watchTasks } from './task-watch.ts';

// Entry: node test/local/fargate/main.ts SETTINGS_FILE. Its containers die with this process,
// however it ends, so a signal needs no clean-up beyond that.
const file = process.argv[2];
if (file === undefined) throw new Error('usage: main.ts SETTINGS_FILE');
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.once(signal, () => {
    process.exit(0);
  });
}
await watchTasks(await readFargateSettings(file));
process.exit(0);
