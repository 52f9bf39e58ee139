import { lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';

import { EXCHANGE, EXCHANGE_FOLDER_MODE } from '../exchange/exchange-folder.ts';
import type { Job } from '../exchange/job.ts';
import type { collectedOutput, refusedOutput } from '../exchange/result.ts';
import { collectOutputs, DEFAULT_COLLECT_LIMITS } from '../sandbox/collect-outputs.ts';

export interface DeclaredOutputs {
  readonly outputs: z.infer<typeof collectedOutput>[];
  readonly refused: z.infer<typeof refusedOutput>[];
}

/** Longest list of refusals that a result carries. */
const MAX_REFUSALS = 100;

/** Takes the declared outputs out of the tree, and names what is missing, refused or undeclared (p18). */
export async function collectDeclaredOutputs(
  treeFolder: string,
  exchange: string,
  declared: Job['outputs'],
): Promise<DeclaredOutputs> {
  const destination = join(exchange, EXCHANGE.outputs);
  await mkdir(destination, { recursive: true, mode: EXCHANGE_FOLDER_MODE });
  const folder = join(treeFolder, 'outputs');
  const largest = Math.max(0, ...declared.map((output) => output.max_bytes));
  const collection = await collectOutputs(folder, destination, {
    ...DEFAULT_COLLECT_LIMITS,
    maxFileBytes: Math.max(largest, 1),
  });
  const refused = [...collection.refused];
  const outputs: DeclaredOutputs['outputs'] = [];
  for (const output of declared) {
    const file = collection.files.find((each) => each.path === output.name);
    if (file === undefined) {
      if (!refused.some((each) => each.path === output.name)) {
        refused.push({ path: output.name, reason: await explainAbsence(folder, output.name) });
      }
    } else if (file.size > output.max_bytes) {
      refused.push({
        path: output.name,
        reason: `has ${String(file.size)} bytes, more than the ${String(output.max_bytes)} allowed`,
      });
    } else {
      const relative = file.file.slice(exchange.length + 1);
      outputs.push({ name: output.name, file: relative, size: file.size, sha256: file.sha256 });
    }
  }
  const names = new Set<string>(declared.map((output) => output.name));
  for (const file of collection.files) {
    if (!names.has(file.path)) refused.push({ path: file.path, reason: 'is not declared' });
  }
  return { outputs, refused: refused.slice(0, MAX_REFUSALS) };
}

async function explainAbsence(folder: string, name: string): Promise<string> {
  const facts = await lstat(join(folder, name)).catch(() => undefined);
  return facts === undefined ? 'was not written' : 'is not a regular file';
}
