import { lstat, mkdir, opendir } from 'node:fs/promises';
import { join } from 'node:path';

import { copyOutFile, OutputRefusedError } from './copy-out-file.ts';

export interface CollectLimits {
  readonly maxDepth: number;
  readonly maxEntries: number;
  readonly maxFileBytes: number;
  readonly maxTotalBytes: number;
}

export interface CollectedFile {
  /** Path in the tree, with forward slashes. */
  readonly path: string;
  /** Where the copy is. */
  readonly file: string;
  readonly size: number;
  readonly sha256: string;
}

export interface RefusedEntry {
  readonly path: string;
  readonly reason: string;
}

export interface Collection {
  readonly files: readonly CollectedFile[];
  /** Not taken, each with its reason; one that is too deep or past the limits ends the walk. */
  readonly refused: readonly RefusedEntry[];
}

export const DEFAULT_COLLECT_LIMITS: CollectLimits = {
  maxDepth: 32,
  maxEntries: 10_000,
  maxFileBytes: 256 * 1024 * 1024,
  maxTotalBytes: 512 * 1024 * 1024,
};

interface Walk {
  readonly limits: CollectLimits;
  readonly destination: string;
  readonly files: CollectedFile[];
  readonly refused: RefusedEntry[];
  entries: number;
  totalBytes: number;
  ended: boolean;
}

const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Copies the regular files of an untrusted folder to numbered files in `destination`, following nothing (E83). Call it
 * when every process of the attempt is gone: only then does what is checked stay what is read.
 */
export async function collectOutputs(
  folder: string,
  destination: string,
  limits: CollectLimits = DEFAULT_COLLECT_LIMITS,
): Promise<Collection> {
  await mkdir(destination, { recursive: true, mode: 0o700 });
  const walk: Walk = {
    limits,
    destination,
    files: [],
    refused: [],
    entries: 0,
    totalBytes: 0,
    ended: false,
  };
  const facts = await lstat(folder).catch(() => undefined);
  if (facts?.isDirectory() === true) await collectFolder(walk, folder, '', 1);
  else if (facts !== undefined) walk.refused.push({ path: '', reason: 'is not a folder' });
  return { files: walk.files, refused: walk.refused };
}

async function collectFolder(
  walk: Walk,
  folder: string,
  prefix: string,
  depth: number,
): Promise<void> {
  if (depth > walk.limits.maxDepth) {
    endWalk(walk, prefix, `is deeper than ${String(walk.limits.maxDepth)} folders`);
    return;
  }
  for (const rawName of await listNames(walk, folder, prefix)) {
    if (walk.ended) return;
    const name = decodeName(rawName);
    if (name === undefined) {
      const shown = rawName.toString('latin1').replace(/[^\x20-\x7e]/g, '?');
      walk.refused.push({ path: `${prefix}${shown}`, reason: 'has a name that is not UTF-8' });
      continue;
    }
    await collectEntry(walk, { source: join(folder, name), path: `${prefix}${name}`, depth });
  }
}

async function listNames(walk: Walk, folder: string, prefix: string): Promise<Buffer[]> {
  const names: Buffer[] = [];
  const entries = await opendir(folder, { encoding: 'buffer' as BufferEncoding });
  for await (const entry of entries) {
    walk.entries += 1;
    if (walk.entries > walk.limits.maxEntries) {
      endWalk(
        walk,
        prefix,
        `there are more than ${String(walk.limits.maxEntries)} files and folders`,
      );
      return [];
    }
    names.push(entry.name as unknown as Buffer);
  }
  return names.sort((one, other) => one.compare(other));
}

interface Entry {
  readonly source: string;
  readonly path: string;
  readonly depth: number;
}

async function collectEntry(walk: Walk, { source, path, depth }: Entry): Promise<void> {
  const facts = await lstat(source);
  if (facts.isDirectory()) {
    await collectFolder(walk, source, `${path}/`, depth + 1);
    return;
  }
  if (walk.totalBytes + facts.size > walk.limits.maxTotalBytes) {
    endWalk(walk, path, `takes the files over ${String(walk.limits.maxTotalBytes)} bytes together`);
    return;
  }
  const file = join(walk.destination, String(walk.files.length + 1).padStart(5, '0'));
  try {
    const copied = await copyOutFile(source, file, walk.limits.maxFileBytes);
    walk.totalBytes += copied.size;
    walk.files.push({ path, file, ...copied });
  } catch (error) {
    if (!(error instanceof OutputRefusedError)) throw error;
    walk.refused.push({ path, reason: error.message });
  }
}

function decodeName(name: Buffer): string | undefined {
  try {
    return STRICT_UTF8.decode(name);
  } catch {
    return undefined;
  }
}

function endWalk(walk: Walk, path: string, reason: string): void {
  walk.ended = true;
  walk.refused.push({ path, reason });
}
