import type { Artifact } from '../../../schemas/artifact.ts';
import { limits } from '../../../schemas/limits.ts';
import { renderPointer } from '../../../schemas/make-fault.ts';
import type {
  CheckedInputFile,
  CheckedInputs,
  DescribedFile,
} from '../../../schemas/plan-check-api.ts';
import type { Fault } from '../../../schemas/problem.ts';
import type { ArtifactStore } from '../../ports/artifact-store.ts';
import type { Attachments } from '../../ports/attachments.ts';
import { assumeStored } from './assume-stored.ts';
import { resolveAttachment } from './resolve-attachment.ts';
import type { InputRefusal } from './input-refusal.ts';
import { resolveUpload } from './resolve-upload.ts';

/** Lookups under way at once while inputs are resolved. */
const lookupsAtOnce = 16;
const longestValueCharacters = 200;

export interface RunInputSources {
  artifacts: ArtifactStore;
  attachments: Attachments;
}

interface Place {
  field: string;
  name: string;
  index: number | null;
  file: CheckedInputFile;
}

/**
 * Pins every named upload and attachment to an exact version with the digest of its stored bytes (E51). Names all faults
 * at once, each below the field in which the caller named the files. A file that is only described is taken at its word.
 */
export async function resolveRunInputs(
  sources: RunInputSources,
  board: string,
  inputs: CheckedInputs,
  inputsField: 'inputs' | 'run_inputs' = 'inputs',
): Promise<
  | { kind: 'RESOLVED'; inputs: Record<string, Artifact | Artifact[]> }
  | { kind: 'REFUSED'; faults: Fault[] }
> {
  const places = listPlaces(inputsField, inputs);
  if (places.length > limits.runInputFiles)
    return { kind: 'REFUSED', faults: [refuseCount(inputsField, places.length)] };
  const found: (Artifact | Fault)[] = [];
  for (let start = 0; start < places.length; start += lookupsAtOnce) {
    const batch = places.slice(start, start + lookupsAtOnce);
    found.push(...(await Promise.all(batch.map((place) => resolvePlace(sources, board, place)))));
  }
  const faults = found.filter((item): item is Fault => 'fix' in item);
  if (faults.length > 0) return { kind: 'REFUSED', faults };
  const resolved: Record<string, Artifact | Artifact[]> = {};
  for (const [position, place] of places.entries()) {
    const item = found[position] as Artifact;
    if (place.index === null) resolved[place.name] = item;
    else resolved[place.name] = [...((resolved[place.name] as Artifact[] | undefined) ?? []), item];
  }
  return { kind: 'RESOLVED', inputs: resolved };
}

/** What a check of a plan may name, and no start: it is not stored. */
export function isDescribed(file: CheckedInputFile): file is DescribedFile {
  return typeof file !== 'string' && !('key' in file);
}

function listPlaces(field: string, inputs: CheckedInputs): Place[] {
  return Object.entries(inputs).flatMap(([name, value]): Place[] =>
    Array.isArray(value)
      ? value.map((file, index) => ({ field, name, index, file }))
      : [{ field, name, index: null, file: value }],
  );
}

async function resolvePlace(
  sources: RunInputSources,
  board: string,
  { field, name, index, file }: Place,
): Promise<Artifact | Fault> {
  if (isDescribed(file)) return assumeStored(board, file);
  const resolved =
    typeof file === 'string'
      ? await resolveAttachment(sources, board, file)
      : await resolveUpload(sources.artifacts, board, file);
  if (!('code' in resolved)) return resolved;
  const named = typeof file === 'string' ? file : file.key;
  return renderRefusal([field, name, ...(index === null ? [] : [index])], named, resolved);
}

function renderRefusal(
  path: (string | number)[],
  named: string,
  { code, message, fix }: InputRefusal,
): Fault {
  const value = JSON.stringify(named).slice(0, longestValueCharacters);
  return { path: renderPointer(path), code, value, message, fix };
}

function refuseCount(inputsField: string, count: number): Fault {
  return {
    path: `/${inputsField}`,
    code: 'OVER_LIMIT',
    value: String(count),
    message: `the run takes ${String(count)} files; runInputFiles allows ${String(limits.runInputFiles)}`,
    fix: 'Split the run into several.',
  };
}
