import type { Artifact } from '../../../schemas/artifact.ts';
import { limits } from '../../../schemas/limits.ts';
import type { Fault } from '../../../schemas/problem.ts';
import { makeFault } from './make-fault.ts';
import type { PlanContext } from './plan-context.ts';

type Declared = NonNullable<PlanContext['read']['inputs']>;

/**
 * INPUT_MISSING, INPUT_UNEXPECTED, INPUT_KIND, INPUT_MEDIA_TYPE, and the limits of the run's files. They are not part of
 * the plan document: their paths begin with `/run_inputs`.
 */
export function checkRunInputs(context: PlanContext): Fault[] {
  const faults = [...checkFileLimits(context)];
  const declared = context.read.inputs;
  if (declared === undefined) return faults;
  for (const name of Object.keys(declared)) {
    if ((context.files.get(name) ?? []).length === 0) faults.push(missing(name));
  }
  for (const [name, files] of context.files) {
    if (!Object.hasOwn(declared, name)) faults.push(unexpected(context, name, declared));
    else faults.push(...checkFiles(name, files, declared));
  }
  return faults;
}

function checkFiles(name: string, files: readonly Artifact[], declared: Declared): Fault[] {
  const input = declared[name];
  if (input === undefined) return [];
  const faults: Fault[] = [];
  if (input.kind === 'file' && files.length > 1) faults.push(tooManyForOne(name, files.length));
  const accepted = input.media_types;
  for (const [index, file] of files.entries()) {
    if (accepted === undefined || accepted.includes(file.mediaType)) continue;
    faults.push(
      makeFault(['run_inputs', name, index], file.mediaType, {
        code: 'INPUT_MEDIA_TYPE',
        message: `${file.filename ?? file.key} is ${file.mediaType}`,
        fix: `Hand in ${accepted.join(' or ')}.`,
      }),
    );
  }
  return faults;
}

function checkFileLimits(context: PlanContext): Fault[] {
  const faults: Fault[] = [];
  let count = 0;
  for (const [name, files] of context.files) {
    count += files.length;
    for (const [index, file] of files.entries()) {
      if (file.size <= limits.attachmentBytes) continue;
      faults.push(
        makeFault(['run_inputs', name, index], file.size, {
          code: 'OVER_LIMIT',
          message: `${file.filename ?? file.key} has ${String(file.size)} bytes; attachmentBytes allows ${String(limits.attachmentBytes)}`,
          fix: 'Hand in a smaller file.',
        }),
      );
    }
  }
  if (count > limits.runInputFiles) {
    faults.push(
      makeFault(['run_inputs'], count, {
        code: 'OVER_LIMIT',
        message: `the run takes ${String(count)} files; runInputFiles allows ${String(limits.runInputFiles)}`,
        fix: 'Split the run.',
      }),
    );
  }
  return faults;
}

function missing(name: string): Fault {
  return makeFault(['run_inputs', name], undefined, {
    code: 'INPUT_MISSING',
    message: `the run got no file for the input "${name}"`,
    fix: `Hand one in: --input ${name}=FILE.`,
  });
}

function unexpected(context: PlanContext, name: string, declared: Declared): Fault {
  return makeFault(['run_inputs', name], name, {
    code: 'INPUT_UNEXPECTED',
    message: `the plan declares no input "${name}"`,
    fix: `Leave the file out, or declare the input${context.suggest(name, Object.keys(declared))}`,
  });
}

function tooManyForOne(name: string, count: number): Fault {
  return makeFault(['run_inputs', name], count, {
    code: 'INPUT_KIND',
    message: `the input "${name}" is one file; the run got ${String(count)}`,
    fix: 'Hand in one file, or declare the input with kind: files.',
  });
}
