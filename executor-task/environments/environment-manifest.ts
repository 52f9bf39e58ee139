import { z } from 'zod';

const environmentManifest = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]{0,62}$/),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  /** By command id (E56): the fixed argv inside the sandbox, and the tool that it runs with its digest (E99). */
  commands: z.record(
    z.string().regex(/^[A-Z][A-Z0-9_]{0,62}$/),
    z.strictObject({
      argv: z.array(z.string().min(1)).min(1),
      tool: z.string().regex(/^tools\/[a-z][a-z0-9-]*\.mjs$/),
      tool_sha256: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
});

export type EnvironmentManifest = z.infer<typeof environmentManifest>;

/** Throws an error that lists every fault of the manifest with its path. */
export function parseEnvironmentManifest(folder: string, text: string): EnvironmentManifest {
  const parsed = environmentManifest.safeParse(JSON.parse(text));
  if (!parsed.success) {
    throw new Error(`${folder}/environment.json:\n${z.prettifyError(parsed.error)}`);
  }
  if (parsed.data.name !== folder) {
    throw new Error(`${folder}/environment.json: name is ${parsed.data.name}; use the folder's`);
  }
  return parsed.data;
}
