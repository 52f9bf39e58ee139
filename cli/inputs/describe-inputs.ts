import type { CheckedInputFile, CheckedInputs } from '../../schemas/plan-check-api.ts';
import type { RunInput } from './find-input-files.ts';
import { groupInputs } from './group-inputs.ts';

/** What a check of a plan is told of the files of a run: none of their bytes. */
export function describeInputs(
  found: readonly RunInput[],
  lists: ReadonlySet<string>,
): CheckedInputs {
  return groupInputs(
    found.map((each) => ({ input: each.input, named: describeInput(each) })),
    lists,
  );
}

function describeInput(each: RunInput): CheckedInputFile {
  if (each.kind === 'REFERENCE') return each.reference;
  return { filename: each.filename, media_type: each.mediaType, size: each.size };
}
