import { glob, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileName } from '../../schemas/artifact.ts';
import { limits } from '../../schemas/limits.ts';
import { parseArtifactReference } from '../../schemas/parse-artifact-reference.ts';
import { refuseUsage, type CommandFailure } from '../command-failure.ts';
import { formatBytesApart } from '../output/format-bytes.ts';
import { chooseMediaType } from './choose-media-type.ts';
import { withInput } from './open-input.ts';
import type { NamedPatterns } from './parse-input-options.ts';

const referencePrefix = 'kanban-artifact:';

export interface InputFile {
  kind: 'FILE';
  input: string;
  path: string;
  filename: string;
  mediaType: string;
  size: number;
}

/** An attachment of a task, which is stored already. */
export interface InputReference {
  kind: 'REFERENCE';
  input: string;
  reference: string;
}
export type RunInput = InputFile | InputReference;

/**
 * The files and references behind `--input`, checked against the limits before anything is sent. A pattern gives its files in the
 * order of their names, so that the same folder makes the same run; the shell does not expand `NAME=DIR/*`.
 */
export async function findInputFiles(
  named: NamedPatterns,
  mediaTypes: ReadonlyMap<string, string>,
): Promise<RunInput[]> {
  for (const name of mediaTypes.keys()) {
    if (!named.has(name)) throw refuseUsage(`--media-type ${name}=…: there is no --input ${name}`);
  }
  const found: RunInput[] = [];
  for (const [input, patterns] of named) {
    for (const pattern of patterns) {
      if (pattern.startsWith(referencePrefix)) {
        found.push(readReference(input, pattern, mediaTypes));
        continue;
      }
      for (const file of await expandPattern(input, pattern)) {
        found.push(await describeFile(input, file, mediaTypes.get(input)));
      }
    }
  }
  if (found.length > limits.runInputFiles) {
    throw refuseUsage(
      `${String(found.length)} input files are more than a run takes (${String(limits.runInputFiles)})`,
    );
  }
  return found;
}

/** A file of such a name is still reached, as `./kanban-artifact:…`. */
function readReference(
  input: string,
  text: string,
  mediaTypes: ReadonlyMap<string, string>,
): InputReference {
  if (mediaTypes.has(input)) throw refuseTypeOfReference(input);
  if (parseArtifactReference(text) !== undefined)
    return { kind: 'REFERENCE', input, reference: text };
  throw refuseUsage(
    `--input ${input}=${text}: is not an artifact reference`,
    'write kanban-artifact:v1:BOARD:TASK:ATTACHMENT_ID:SHA256 as `windlass artifact list` prints it',
  );
}

function refuseTypeOfReference(input: string): CommandFailure {
  return refuseUsage(
    `--media-type ${input}=…: an artifact has the media type that it was attached with`,
    'leave it out, or hand the file in itself',
  );
}

async function expandPattern(input: string, pattern: string): Promise<string[]> {
  if (!/[*?[]/.test(pattern) || (await isThere(pattern))) return [pattern];
  const found: string[] = [];
  for await (const entry of glob(pattern, { withFileTypes: true })) {
    if (entry.isFile() && !entry.name.startsWith('.'))
      found.push(path.join(entry.parentPath, entry.name));
  }
  if (found.length === 0) {
    throw refuseUsage(`--input ${input}=${pattern}: no file matches`);
  }
  return found.sort((a, b) => (a < b ? -1 : 1));
}

async function describeFile(
  input: string,
  file: string,
  mediaType: string | undefined,
): Promise<InputFile> {
  const where = `--input ${input}=${file}`;
  // Opened now, so that a check does not promise a start that could not read it.
  const size = await withInput({ input, path: file }, (opened) => Promise.resolve(opened.size));
  if (size > limits.attachmentBytes) {
    const [given, limit] = formatBytesApart(size, limits.attachmentBytes);
    throw refuseUsage(`${where}: ${given} is above the limit of ${limit} a file`);
  }
  const filename = path.basename(file);
  const name = fileName.safeParse(filename);
  if (!name.success) {
    throw refuseUsage(
      `${where}: the file name ${name.error.issues.map((issue) => issue.message).join('; ')}`,
      'rename the file',
    );
  }
  return {
    kind: 'FILE',
    input,
    path: file,
    filename,
    mediaType: mediaType ?? chooseMediaType(filename),
    size,
  };
}

async function isThere(file: string): Promise<boolean> {
  return await stat(file).then(
    () => true,
    () => false,
  );
}
