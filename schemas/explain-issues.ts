import type { z } from 'zod';
import { describeExpected, describeFound } from './describe-expected.ts';
import { limits } from './limits.ts';
import { makeFault, readPath, type PathStep } from './make-fault.ts';
import type { Fault } from './problem.ts';
import { suggestName } from './suggest-name.ts';

export type Issue = z.core.$ZodIssue;

/** What one kind of document says in words of its own, and not in those of its schema. */
export interface DocumentWords {
  /** What a document that is no object is called. */
  subject: string;
  /** Names of all fields, to suggest one of. */
  fields: readonly string[];
  /** What belongs at the path, to end "Write …" with; undefined where the schema says it well enough. */
  describe?: (path: readonly PathStep[]) => string | undefined;
  /** A fault that has a code of its own. */
  explain?: (
    path: readonly PathStep[],
    value: unknown,
    issue: Issue,
  ) => { code: string; message: string; fix: string } | undefined;
}

/** Suggests nothing: to look for a name like each of a hundred thousand takes a second, and nobody is shown them. */
const silent: DocumentWords = { subject: '', fields: [] };

/** Each thing that a schema found in a document, as a fault at its place below `base`. */
export function explainIssues(
  issues: readonly Issue[],
  document: unknown,
  words: DocumentWords,
  base: readonly PathStep[] = [],
): Fault[] {
  return issues.flatMap((issue) => explainIssue(issue, document, words, base));
}

function explainIssue(
  issue: Issue,
  document: unknown,
  words: DocumentWords,
  base: readonly PathStep[],
): Fault[] {
  const own = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  const path = [...base, ...own];
  const value = readPath(document, own);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key, index) =>
        explainUnknownField([...path, key], value, index < limits.refusalFaults ? words : silent),
      );
    case 'invalid_union': {
      const branch = chooseBranch(issue);
      if (branch !== undefined) return explainIssues(branch, value, words, path);
      return [explainValue(issue, value, words, path)];
    }
    case 'invalid_key':
      return [
        makeFault(path, own.at(-1), {
          code: 'BAD_NAME',
          message: `${JSON.stringify(own.at(-1))} is no name`,
          fix: 'Write a lower-case letter, then at most 39 lower-case letters, digits, "-" or "_".',
        }),
      ];
    case 'custom':
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_type':
    case 'invalid_value':
    case 'not_multiple_of':
    case 'too_big':
    case 'too_small':
      return [explainValue(issue, value, words, path)];
  }
}

function explainUnknownField(
  path: readonly PathStep[],
  holder: unknown,
  words: DocumentWords,
): Fault {
  const key = String(path.at(-1));
  return makeFault(path, readPath(holder, [key]), {
    code: 'UNKNOWN_FIELD',
    message: `there is no field "${key}" here`,
    fix: `Remove it or correct its name${suggestName(key, words.fields)}`,
  });
}

/**
 * Of a union's branches that may be meant, the one with the fewest faults says what is wrong, and of several such the first.
 */
function chooseBranch(issue: Extract<Issue, { code: 'invalid_union' }>): Issue[] | undefined {
  const fitting = issue.errors.filter((issues) => issues.length > 0 && !issues.some(isOtherForm));
  return fitting.toSorted((left, right) => left.length - right.length)[0];
}

/** The value is of another kind, or has a field by whose absence (`z.never`) the form is known. */
function isOtherForm(issue: Issue): boolean {
  if (issue.code !== 'invalid_type') return false;
  return issue.path.length === 0 || issue.expected === 'never';
}

function explainValue(
  issue: Issue,
  value: unknown,
  words: DocumentWords,
  path: readonly PathStep[],
): Fault {
  const special = words.explain?.(path, value, issue);
  if (special !== undefined) return makeFault(path, value, special);
  const field = String(path.at(-1) ?? words.subject);
  const expected = words.describe?.(path) ?? describeExpected(issue);
  if (value === undefined) {
    return makeFault(path, value, {
      code: 'MISSING_FIELD',
      message: `${field} is missing`,
      fix: `Add ${field}: ${expected}.`,
    });
  }
  return makeFault(path, value, {
    code: issue.code === 'invalid_type' ? 'WRONG_TYPE' : 'BAD_VALUE',
    message: issue.code === 'custom' ? issue.message : `${field} ${describeFound(issue, value)}`,
    fix: readFix(issue) ?? `Write ${expected}.`,
  });
}

/** A check of our own says in `params.fix` what to write. */
function readFix(issue: Issue): string | undefined {
  const fix: unknown = issue.code === 'custom' ? issue.params?.['fix'] : undefined;
  return typeof fix === 'string' ? fix : undefined;
}
