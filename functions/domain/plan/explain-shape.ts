import type { z } from 'zod';
import { limits } from '../../../schemas/limits.ts';
import { plan, planNode } from '../../../schemas/plan.ts';
import type { Fault } from '../../../schemas/problem.ts';
import { makeFault, type PathStep } from './make-fault.ts';
import { suggestName } from './suggest-name.ts';

type Issue = z.core.$ZodIssue;

const fieldNames = [...Object.keys(plan.shape), ...Object.keys(planNode.shape)];
const writtenIdCharacters = 40;

/** Where a field that is too large trips a named limit. */
const limitsOfFields: Readonly<Record<string, keyof typeof limits>> = {
  parallelism: 'runParallelism',
  max_attempts: 'actionAttempts',
  timeout_seconds: 'attemptTimeoutSeconds',
  max_bytes: 'outputBytes',
};

/** Each thing that the schema found, at its place below `base`. */
export function explainShape(
  issues: readonly Issue[],
  document: unknown,
  base: readonly PathStep[],
): Fault[] {
  return issues.flatMap((issue) => explainIssue(issue, document, base));
}

function explainIssue(issue: Issue, document: unknown, base: readonly PathStep[]): Fault[] {
  const own = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  const path = [...base, ...own];
  const value = readPath(document, own);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => explainUnknownField([...path, key], key, value));
    case 'invalid_union':
      return explainUnion(issue, value, path);
    case 'invalid_key':
      return [
        makeFault(path, own.at(-1), {
          code: 'BAD_NAME',
          message: `${JSON.stringify(own.at(-1))} is no name`,
          fix: 'Use a lower-case letter, then at most 39 lower-case letters, digits, "-" or "_".',
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
      return [explainValue(issue, value, path)];
  }
}

function explainUnknownField(path: readonly PathStep[], key: string, holder: unknown): Fault {
  return makeFault(path, readPath(holder, [key]), {
    code: 'UNKNOWN_FIELD',
    message: `there is no field "${key}" here`,
    fix: `Remove or rename it${suggestName(key, fieldNames)}`,
  });
}

/** Of a union's branches the one that fits the kind of the value says what is wrong. */
function explainUnion(
  issue: Extract<Issue, { code: 'invalid_union' }>,
  value: unknown,
  path: readonly PathStep[],
): Fault[] {
  const branch = issue.errors.find(
    (issues) =>
      issues.length > 0 && !issues.some((one) => one.path.length === 0 && isWrongKind(one)),
  );
  if (branch !== undefined) return explainShape(branch, value, path);
  return [explainValue(issue, value, path)];
}

function isWrongKind(issue: Issue): boolean {
  return issue.code === 'invalid_type';
}

function explainValue(issue: Issue, value: unknown, path: readonly PathStep[]): Fault {
  const field = path.at(-1);
  if (path.length === 3 && path[0] === 'nodes' && field === 'id' && value !== undefined) {
    return explainId(path, value);
  }
  if (path[0] === 'budget' && value === undefined) {
    return makeFault(path, value, {
      code: 'NO_BUDGET',
      message: `the plan says no limit for ${path.length === 1 ? 'its budget' : String(field)}`,
      fix: 'Give budget with COMPUTE_COST such as "0.50 USD", ATTEMPTS and WALL_SECONDS.',
    });
  }
  if (value === undefined) {
    return makeFault(path, value, {
      code: 'MISSING_FIELD',
      message: `${String(field ?? 'the plan')} is missing`,
      fix: 'Add it.',
    });
  }
  const limit = issue.code === 'too_big' ? limitsOfFields[String(field)] : undefined;
  if (limit !== undefined) return explainLimit(path, value, limit);
  return makeFault(path, value, {
    code: issue.code === 'invalid_type' ? 'WRONG_TYPE' : 'BAD_VALUE',
    message: describeIssue(issue, path),
    fix: `Change the value of ${String(field ?? 'the plan')}.`,
  });
}

/** Patterns are for machines: a person is told what the text should be. */
function describeIssue(issue: Issue, path: readonly PathStep[]): string {
  const isPattern = issue.code === 'invalid_format' && issue.message.includes('match pattern');
  if (!isPattern) return issue.message;
  const holder = String(path.at(-2));
  const field = String(path.at(-1));
  if (holder === 'gives' || holder === 'media_types' || field === 'media_type') {
    return 'this is no media type such as "text/plain", in lower case and without parameters';
  }
  if (holder === 'takes' || field === 'from') {
    return 'this is none of "inputs.NAME", "NODE.OUTPUT", "NODE[item].OUTPUT", "item"';
  }
  if (field === 'for_each') return 'this is neither "inputs.NAME" nor a list';
  return `this is no text of lower-case letters, digits and dashes as ${field} is`;
}

function explainId(path: readonly PathStep[], value: unknown): Fault {
  const isLong = typeof value === 'string' && value.length > writtenIdCharacters;
  return makeFault(path, value, {
    code: isLong ? 'LONG_ID' : 'BAD_ID',
    message: isLong
      ? `the id has ${String(value.length)} characters; at most ${String(writtenIdCharacters)} are allowed`
      : 'the id is no text of lower-case letters, digits and dashes that begins with a letter',
    fix: 'Use at most 40 lower-case letters, digits and dashes, the first one a letter.',
  });
}

function explainLimit(
  path: readonly PathStep[],
  value: unknown,
  limit: keyof typeof limits,
): Fault {
  return makeFault(path, value, {
    code: 'OVER_LIMIT',
    message: `${String(path.at(-1))} is above ${limit} (${String(limits[limit])})`,
    fix: `Use at most ${String(limits[limit])}.`,
  });
}

function readPath(document: unknown, path: readonly PathStep[]): unknown {
  let value = document;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) {
      return undefined;
    }
    value = (value as Record<PathStep, unknown>)[step];
  }
  return value;
}
