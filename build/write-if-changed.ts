import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** By temporary name and rename, so that a concurrent reader never sees half a file. */
export async function writeIfChanged(file: string, bytes: Uint8Array): Promise<void> {
  const present = await readFile(file).catch(() => undefined);
  if (present?.equals(bytes) === true) return;
  await mkdir(path.dirname(file), { recursive: true });
  const temporary = `${file}.${String(process.pid)}`;
  await writeFile(temporary, bytes);
  await rename(temporary, file);
}
