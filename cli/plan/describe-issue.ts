import type { z } from 'zod';
import type { Fault } from '../../schemas/problem.ts';

type Issue = z.core.$ZodIssue;

const longestValueCharacters = 200;

/** The faults behind what zod found in a document, in the form of a refusal: path, bad value, what is wrong, the fix. */
export function describeIssues(issues: readonly Issue[], document: unknown): Fault[] {
  return issues.flatMap((issue) => describeIssue(issue, document, []));
}

function describeIssue(issue: Issue, document: unknown, above: readonly PropertyKey[]): Fault[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'invalid_union') {
    const closest = chooseClosest(issue.errors);
    if (closest !== undefined)
      return closest.flatMap((inner) => describeIssue(inner, document, path));
  }
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: renderPointer([...path, key]),
      code: 'UNKNOWN_FIELD',
      value: renderValue(readAt(document, [...path, key])),
      message: `there is no field "${key}" here`,
      fix: 'correct its spelling or take it out; `windlass plan schema` lists the fields',
    }));
  }
  const value = readAt(document, path);
  const missing = issue.code === 'invalid_type' && value === undefined;
  return [
    {
      path: renderPointer(path),
      code: missing ? 'MISSING' : issue.code.toUpperCase(),
      value: value === undefined ? '' : renderValue(value),
      message: missing ? 'is missing' : issue.message,
      fix: suggestFix(issue, missing),
    },
  ];
}

/** Of several forms that a value may have, the one that was most nearly met: the deepest, then the fewest faults. */
function chooseClosest(alternatives: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const depth = (issues: readonly Issue[]) =>
    Math.max(0, ...issues.map((issue) => issue.path.length));
  return [...alternatives]
    .filter((issues) => issues.length > 0)
    .sort((a, b) => depth(b) - depth(a) || a.length - b.length)[0];
}

function suggestFix(issue: Issue, missing: boolean): string {
  switch (issue.code) {
    case 'invalid_type':
      return missing ? `add it: ${issue.expected}` : `write ${issue.expected} here`;
    case 'invalid_value':
      return `use one of ${issue.values.map((value) => String(value)).join(', ')}`;
    case 'too_small':
      return `use at least ${String(issue.minimum)}`;
    case 'too_big':
      return `use at most ${String(issue.maximum)}`;
    case 'invalid_format':
      return issue.pattern === undefined
        ? `write it as ${issue.format}`
        : `write it so that it matches ${issue.pattern}`;
    case 'not_multiple_of':
    case 'unrecognized_keys':
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return 'see `windlass plan schema` for what goes here';
  }
}

function renderPointer(path: readonly PropertyKey[]): string {
  return path
    .map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

function renderValue(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined;
  return (text ?? '').slice(0, longestValueCharacters);
}

function readAt(document: unknown, path: readonly PropertyKey[]): unknown {
  let value = document;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Object.hasOwn(value, part) ? (value as Record<PropertyKey, unknown>)[part] : undefined;
  }
  return value;
}
