import path from 'node:path';
import { fileName } from '../../schemas/artifact.ts';
import { refuse } from '../command-failure.ts';
import type { DeliverableFile } from '../api/windlass-api.ts';

export interface Destination {
  file: DeliverableFile;
  path: string;
}

/**
 * A path directly in `folder` for each deliverable. Names come from plans and executors, so a name that could lead
 * elsewhere refuses the whole download (A30). Where two have one name, node and output go in front.
 */
export function chooseDestinations(files: DeliverableFile[], folder: string): Destination[] {
  for (const file of files) checkName(file, file.filename);
  const counts = countNames(files.map((file) => file.filename));
  const named = files.map((file) => {
    const shared = (counts.get(fold(file.filename)) ?? 0) > 1;
    const name = shared ? `${file.node}-${file.output}-${file.filename}` : file.filename;
    checkName(file, name);
    return { file, name };
  });
  for (const [name, count] of countNames(named.map((entry) => entry.name))) {
    if (count > 1)
      throw refuse('NAME_REFUSED', `two deliverables would both be written as ${name}`);
  }
  return named.map(({ file, name }) => ({ file, path: path.join(folder, name) }));
}

function checkName(file: DeliverableFile, name: string): void {
  const parsed = fileName.safeParse(name);
  if (parsed.success && path.basename(name) === name) return;
  const why = parsed.success
    ? 'is not a plain name'
    : parsed.error.issues.map((issue) => issue.message).join('; ');
  throw refuse(
    'NAME_REFUSED',
    `the deliverable ${file.node}.${file.output} has the file name ${JSON.stringify(name)}, which ${why}; nothing was written`,
    'give it a plain file name in the plan (deliverables: filename)',
  );
}

function countNames(names: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(fold(name), (counts.get(fold(name)) ?? 0) + 1);
  return counts;
}

/** Two names that one file system or another takes for the same. */
function fold(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
