import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { repositoryRoot } from './repository-root.ts';
import { writeIfChanged } from './write-if-changed.ts';

/** Modification time and size of every file that went into a bundle, by path. */
type Fingerprints = Record<string, string>;

/** Any of these changes a bundle without being an input of it. */
const alwaysInputs = ['package-lock.json', 'build/bundle-entries.ts'];

async function fingerprint(files: readonly string[]): Promise<Fingerprints> {
  const pairs = await Promise.all(
    files.map(async (file) => {
      const found = await stat(path.join(repositoryRoot, file)).catch(() => undefined);
      const text =
        found === undefined ? 'missing' : `${String(found.mtimeMs)}:${String(found.size)}`;
      return [file, text] as const;
    }),
  );
  return Object.fromEntries(pairs);
}

export async function recordInputs(record: string, files: readonly string[]): Promise<void> {
  const inputs = await fingerprint([...files, ...alwaysInputs].sort());
  await writeIfChanged(record, Buffer.from(JSON.stringify(inputs)));
}

/** Whether an input changed since it was recorded, or an entry or output is new or gone. */
export async function isStale(
  record: string,
  entries: readonly string[],
  outputs: readonly string[],
): Promise<boolean> {
  const text = await readFile(record, 'utf8').catch(() => undefined);
  if (text === undefined) return true;
  const recorded = JSON.parse(text) as Fingerprints;
  if (entries.some((entry) => !(entry in recorded))) return true;
  const present = await Promise.all(
    outputs.map((file) =>
      stat(file).then(
        () => true,
        () => false,
      ),
    ),
  );
  if (present.includes(false)) return true;
  const now = await fingerprint(Object.keys(recorded));
  return Object.entries(recorded).some(([file, value]) => now[file] !== value);
}
