import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { repositoryRoot } from '../build/repository-root.ts';
import type { Stage } from './stage-config.ts';

const manifest = z.object({
  commands: z.record(z.string(), z.object({ tool_sha256: z.string() })),
});

/**
 * What an admitted plan pins of each environment version of the stage: the digest of its image, and the digests of the
 * tools that its manifest verified (E57, E99). JSON: name → `{ digest, tools }`.
 */
export function renderEnvironmentPins(stage: Pick<Stage, 'environments'>): string {
  const pins = stage.environments.map(({ name, image }) => {
    const { commands } = readManifest(name);
    const tools = Object.entries(commands).map(
      ([id, command]) => [id, command.tool_sha256] as const,
    );
    const digest = image.split('@sha256:')[1] ?? '';
    return [name, { digest, tools: Object.fromEntries(tools) }] as const;
  });
  return JSON.stringify(Object.fromEntries(pins));
}

function readManifest(name: string): z.infer<typeof manifest> {
  const file = path.join(repositoryRoot, 'executor-task/environments', name, 'environment.json');
  return manifest.parse(JSON.parse(readFileSync(file, 'utf8')));
}
