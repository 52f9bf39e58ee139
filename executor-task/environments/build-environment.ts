import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { digestBytes, digestCanonical } from '../../schemas/digest.ts';
import { environmentManifest, type EnvironmentManifest } from '../exchange/environment-manifest.ts';
import { bundleTool } from './bundle-tool.ts';

interface BuildOptions {
  repositoryRoot: string;
  source: string;
  output: string;
  pin: boolean;
}

/** A built tool is not the one whose digest the manifest pins (E99). */
class PinMismatchError extends Error {
  override readonly name = 'PinMismatchError';
}

/**
 * Builds one environment and gives its digest: the SHA-256 of the canonical list of `{path, sha256}` of its files. The
 * digest is also written into the file `digest`, which is not part of the list.
 */
export async function buildEnvironment(options: BuildOptions): Promise<string> {
  const manifestPath = join(options.source, 'environment.json');
  let manifestText = await readFile(manifestPath, 'utf8');
  const manifest = parseManifest(basename(options.source), manifestText);
  const files = new Map<string, string>();
  const mismatches: string[] = [];
  for (const { tool, tool_sha256: pinned } of Object.values(manifest.commands)) {
    const code = await bundleTool(options.repositoryRoot, options.source, tool);
    const built = digestBytes(code);
    files.set(tool, code);
    if (built === pinned) continue;
    mismatches.push(`${manifest.name}: ${tool} is ${built}, but ${pinned} is pinned`);
    manifestText = replacePin(manifestText, tool, built);
  }
  if (mismatches.length > 0 && !options.pin) {
    throw new PinMismatchError(
      `${mismatches.join('\n')}\nA changed tool is a new, unverified one. Verify it, then run this again with --pin.`,
    );
  }
  if (mismatches.length > 0) await writeFile(manifestPath, manifestText);
  files.set('environment.json', manifestText);
  return await writeEnvironment(options.output, files);
}

function parseManifest(folder: string, text: string): EnvironmentManifest {
  const parsed = environmentManifest.safeParse(JSON.parse(text));
  if (!parsed.success) {
    throw new Error(`${folder}/environment.json:\n${z.prettifyError(parsed.error)}`);
  }
  if (parsed.data.name !== folder) {
    throw new Error(`${folder}/environment.json: name is ${parsed.data.name}; use the folder's`);
  }
  return parsed.data;
}

/** Replaces the pin in the text, so that the rest of the file stays as it was written. */
function replacePin(manifestText: string, tool: string, digest: string): string {
  const quoted = tool.replace(/[.\\]/g, '\\$&');
  const pin = new RegExp(`("tool":\\s*"${quoted}",\\s*"tool_sha256":\\s*")[0-9a-f]*(")`, 'g');
  return manifestText.replace(pin, `$1${digest}$2`);
}

async function writeEnvironment(output: string, files: Map<string, string>): Promise<string> {
  const list = [...files]
    .map(([path, content]) => ({ path, sha256: digestBytes(content) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const digest = digestCanonical(list);
  // Written beside and moved into place: a running stack never sees half an environment.
  const staging = `${output}.${String(process.pid)}.tmp`;
  await rm(staging, { recursive: true, force: true });
  for (const [path, content] of [...files, ['digest', `${digest}\n`] as const]) {
    await mkdir(dirname(join(staging, path)), { recursive: true });
    await writeFile(join(staging, path), content);
  }
  await rm(output, { recursive: true, force: true });
  await rename(staging, output);
  return digest;
}
