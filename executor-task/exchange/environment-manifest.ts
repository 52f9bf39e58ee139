import { z } from 'zod';

import { sha256Hex } from '../../schemas/ids.ts';
import { commandId, environmentName, exchangePath } from './job.ts';

/** `environment.json` in an environment's folder: the only commands that can be run there (E56, E99). */
export const environmentManifest = z.strictObject({
  name: environmentName,
  version: z.string().min(1).max(64),
  commands: z.record(
    commandId,
    z.strictObject({
      /** Fixed; the folder is mounted at /opt/environment. */
      argv: z.array(z.string().min(1)).min(1),
      /** The tool's file, relative to the folder. */
      tool: exchangePath,
      tool_sha256: sha256Hex,
    }),
  ),
});
export type EnvironmentManifest = z.infer<typeof environmentManifest>;
