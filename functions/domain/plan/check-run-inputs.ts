import type { Artifact } from '../../../schemas/artifact.ts';
import { limits } from '../../../schemas/limits.ts';
import type { Fault } from '../../../schemas/problem.ts';
import { makeFault, type PathStep } from '../../../schemas/make-fault.ts';
import type { PlanContext } from './plan-context.ts';

type Declared = NonNullable<PlanContext['read']['inputs']>;

/**
 * INPUT_MISSING, INPUT_UNEXPECTED, INPUT_KIND, INPUT_MEDIA_TYPE, and the limits of the run's files. They are not part of
 * the plan document: their paths begin with the name under which they were handed in.
 */
export function checkRunInputs(context: PlanContext): Fault[] {
  const field = readField(context);
  const faults = [...checkFileLimits(context)];
  const declared = context.read.inputs;
  if (declared === undefined) return faults;
  for (const name of Object.keys(declared)) {
    if ((context.files.get(name) ?? []).length === 0) faults.push(missing(field, name));
  }
  for (const [name, files] of context.files) {
    if (!Object.hasOwn(declared, name)) faults.push(unexpected(context, name, declared));
    else faults.push(...checkFiles(context, name, { files, declared }));
  }
  return faults;
}

function checkFiles(
  context: PlanContext,
  name: string,
  { files, declared }: { files: readonly Artifact[]; declared: Declared },
): Fault[] {
  const input = declared[name];
  if (input === undefined) return [];
  const faults: Fault[] = [];
  if (input.kind === 'file' && files.length > 1)
    faults.push(tooManyForOne(readField(context), name, files.length));
  const accepted = input.media_types;
  for (const [index, file] of files.entries()) {
    if (accepted === undefined || accepted.includes(file.mediaType)) continue;
    faults.push(
      makeFault(placeFile(context, name, index), file.mediaType, {
        code: 'INPUT_MEDIA_TYPE',
        message: `${file.filename ?? file.key} is ${file.mediaType}`,
        fix: `Hand in a file of type ${accepted.join(' or ')}, or say that it is one: ${sayType(context, name, accepted)}.`,
      }),
    );
  }
  return faults;
}

/** How the caller names the type of a file whose name does not tell it. */
function sayType(context: PlanContext, name: string, accepted: readonly string[]): string {
  const type = accepted[0] ?? '';
  return readField(context) === 'inputs'
    ? `--media-type ${name}=${type}`
    : `media_type: ${type} beside its key`;
}

function checkFileLimits(context: PlanContext): Fault[] {
  const field = readField(context);
  const faults: Fault[] = [];
  let count = 0;
  for (const [name, files] of context.files) {
    count += files.length;
    for (const [index, file] of files.entries()) {
      if (file.size <= limits.attachmentBytes) continue;
      faults.push(
        makeFault(placeFile(context, name, index), file.size, {
          code: 'OVER_LIMIT',
          message: `${file.filename ?? file.key} has ${String(file.size)} bytes; attachmentBytes allows ${String(limits.attachmentBytes)}`,
          fix: 'Hand in a smaller file.',
        }),
      );
    }
  }
  if (count > limits.runInputFiles) {
    faults.push(
      makeFault([field], count, {
        code: 'OVER_LIMIT',
        message: `the run takes ${String(count)} files; runInputFiles allows ${String(limits.runInputFiles)}`,
        fix: 'Split the run into several.',
      }),
    );
  }
  return faults;
}

/** A file that is handed in alone, and not in a list, has no number. */
function placeFile(context: PlanContext, name: string, index: number): PathStep[] {
  const isList = Array.isArray(context.inputs[name]);
  return [readField(context), name, ...(isList ? [index] : [])];
}

function readField(context: PlanContext): string {
  return context.inputsField ?? 'inputs';
}

function missing(field: string, name: string): Fault {
  return makeFault([field, name], undefined, {
    code: 'INPUT_MISSING',
    message: `the run got no file for the input "${name}"`,
    fix:
      field === 'inputs'
        ? `Hand one in: --input ${name}=FILE.`
        : `Write run_inputs: { ${name}: { key: … } } with the key of an uploaded file.`,
  });
}

function unexpected(context: PlanContext, name: string, declared: Declared): Fault {
  const field = readField(context);
  return makeFault([field, name], name, {
    code: 'INPUT_UNEXPECTED',
    message: `the plan declares no input "${name}"`,
    fix: `Leave it out, or declare it: inputs: { ${name}: { kind: file } }${context.suggest(name, Object.keys(declared))}`,
  });
}

function tooManyForOne(field: string, name: string, count: number): Fault {
  return makeFault([field, name], count, {
    code: 'INPUT_KIND',
    message: `the input "${name}" is one file; the run got ${String(count)}`,
    fix: `Hand in one file, or write inputs: { ${name}: { kind: files } }.`,
  });
}
