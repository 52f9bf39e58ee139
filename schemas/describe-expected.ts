import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object with fields',
  record: 'an object with fields',
  null: 'null',
};

/** What the schema wants in the place of the issue, to end "Write …" with. */
export function describeExpected(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return kinds[issue.expected] ?? `a value of kind ${issue.expected}`;
    case 'invalid_value':
      return listChoices(issue.values.map((value) => JSON.stringify(value)));
    case 'too_small':
      return describeBound(issue.origin, issue.exact === true ? '' : 'at least', issue.minimum);
    case 'too_big':
      return describeBound(issue.origin, issue.exact === true ? '' : 'at most', issue.maximum);
    case 'not_multiple_of':
      return `a multiple of ${String(issue.divisor)}`;
    case 'invalid_union':
      return describeUnion(issue);
    case 'invalid_format':
      return issue.format === 'regex'
        ? 'it in the form that the schema of this document says'
        : `a value of the form ${issue.format}`;
    case 'custom':
    case 'invalid_element':
    case 'invalid_key':
    case 'unrecognized_keys':
      return 'it as the schema of this document says';
  }
}

/** What stands there, after the name of the field. */
export function describeFound(issue: Issue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return `is ${describeKind(value)}, not ${kinds[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return `is ${describeSize(issue.origin, 'little', 'few', 'short')}`;
    case 'too_big':
      return `is ${describeSize(issue.origin, 'much', 'many', 'long')}`;
    case 'invalid_value':
    case 'invalid_union':
      return `is ${describeKind(value)} that is not taken here`;
    case 'invalid_format':
    case 'not_multiple_of':
    case 'custom':
    case 'invalid_element':
    case 'invalid_key':
    case 'unrecognized_keys':
      return 'is not in the form that it needs';
  }
}

/** `"a"`, or `one of "a", "b"`. */
export function listChoices(choices: readonly string[]): string {
  return choices.length === 1 ? (choices[0] ?? '') : `one of ${choices.join(', ')}`;
}

function describeUnion(issue: Extract<Issue, { code: 'invalid_union' }>): string {
  const branches = issue.errors.flatMap((issues) => issues.slice(0, 1));
  const wanted = new Set(branches.map((branch) => describeExpected(branch)));
  return wanted.size === 0
    ? 'one of the forms that the schema of this document says'
    : [...wanted].join(' or ');
}

function describeBound(origin: string, bound: string, size: number | bigint): string {
  const amount = [bound, String(size)].filter((part) => part !== '').join(' ');
  const unit = Number(size) === 1 ? 'entry' : 'entries';
  if (origin === 'string') return `${amount} ${Number(size) === 1 ? 'character' : 'characters'}`;
  if (origin === 'array' || origin === 'record' || origin === 'set') return `${amount} ${unit}`;
  return bound === 'at least' && Number(size) === 0
    ? 'a number above 0'
    : `a number that is ${amount}`;
}

function describeSize(origin: string, amount: string, count: string, length: string): string {
  if (origin === 'string') return `too ${length}`;
  if (origin === 'array' || origin === 'record' || origin === 'set') return `too ${count}`;
  return amount === 'little' ? 'too small' : 'too large';
}

function describeKind(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return 'a text';
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value}`;
}
