import { artifact, type Artifact } from '../../../schemas/artifact.ts';
import { limits } from '../../../schemas/limits.ts';
import { renderPointer } from '../../../schemas/make-fault.ts';
import type { Fault } from '../../../schemas/problem.ts';
import type { RunInputs, UploadedFile } from '../../../schemas/public-api.ts';
import type { ArtifactStore } from '../../ports/artifact-store.ts';

/** Lookups under way at once while inputs are resolved. */
const lookupsAtOnce = 16;

interface Place {
  field: string;
  name: string;
  index: number | null;
  file: UploadedFile;
}

/**
 * Pins every named upload to an exact version with the digest of its stored bytes (E51). Names all faults at once, each
 * below the field in which the caller named the files.
 */
export async function resolveRunInputs(
  store: ArtifactStore,
  board: string,
  inputs: RunInputs,
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
    found.push(...(await Promise.all(batch.map((place) => resolvePlace(store, board, place)))));
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

function listPlaces(field: string, inputs: RunInputs): Place[] {
  return Object.entries(inputs).flatMap(([name, value]): Place[] =>
    Array.isArray(value)
      ? value.map((file, index) => ({ field, name, index, file }))
      : [{ field, name, index: null, file: value }],
  );
}

async function resolvePlace(
  store: ArtifactStore,
  board: string,
  place: Place,
): Promise<Artifact | Fault> {
  const { file } = place;
  const refuse = (code: string, message: string, fix: string): Fault => ({
    path: renderPointer([place.field, place.name, ...(place.index === null ? [] : [place.index])]),
    code,
    value: JSON.stringify(file.key).slice(0, 200),
    message,
    fix,
  });
  if (!file.key.startsWith(`uploads/${board}/`)) {
    return refuse(
      'INPUT_OF_OTHER_BOARD',
      'the file does not belong to this board',
      `Write the key of a file under uploads/${board}/.`,
    );
  }
  const stored = await store.find(file.key, file.version_id);
  if (stored === undefined) {
    return refuse(
      'INPUT_MISSING',
      'nothing is stored under this key and version',
      'Upload the file first, and write its key and version here.',
    );
  }
  if (stored.size > limits.attachmentBytes) {
    return refuse(
      'OVER_LIMIT',
      `the file has ${String(stored.size)} bytes; attachmentBytes allows ${String(limits.attachmentBytes)}`,
      'Hand in a smaller file.',
    );
  }
  const sha256 = stored.sha256 ?? (await store.measure(file.key, stored.versionId))?.sha256;
  const candidate = artifact.safeParse({
    key: file.key,
    versionId: stored.versionId,
    sha256,
    size: stored.size,
    mediaType: file.media_type ?? stored.mediaType ?? 'application/octet-stream',
    filename: file.filename ?? file.key.split('/').at(-1) ?? null,
  });
  if (candidate.success) return candidate.data;
  return refuse(
    'INPUT_INVALID',
    candidate.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; '),
    'Write filename and media_type beside the key.',
  );
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
