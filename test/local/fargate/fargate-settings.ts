import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { emulatorStateSchema } from '../stack-state.ts';
import { containerPrograms } from './container-programs.ts';

const programSchema = z.strictObject({
  script: z.string(),
  network: z.enum(['host', 'none']),
  isEnvironment: z.boolean(),
});

const fargateSettingsSchema = z.strictObject({
  emulator: emulatorStateSchema,
  /** One folder a task that was started; its presence says that it must not be started again. */
  tasksFolder: z.string(),
  logsFolder: z.string(),
  /** Not visible to containers without network, apart from their own folders in it. */
  hiddenFolder: z.string(),
  environmentsFolder: z.string(),
  programs: z.record(z.string(), programSchema).default(containerPrograms),
});

export type FargateSettings = z.infer<typeof fargateSettingsSchema>;

/** From a file of mode 600, as it holds secrets. */
export async function readFargateSettings(file: string): Promise<FargateSettings> {
  return fargateSettingsSchema.parse(JSON.parse(await readFile(file, 'utf8')));
}
