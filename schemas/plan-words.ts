import type { DocumentWords, Issue } from './explain-issues.ts';
import { limits, type LimitName } from './limits.ts';
import type { PathStep } from './make-fault.ts';
import { plan, planNode } from './plan.ts';

const writtenIdCharacters = 40;
const idForm = 'at most 40 lower-case letters, digits and dashes, the first one a letter';
const sum = 'a sum such as "0.50 USD", with at most six decimals';
const mediaTypeForm = 'a media type such as "text/plain", in lower case and without parameters';
const bindingForm = '"inputs.NAME", "NODE.OUTPUT", "NODE[item].OUTPUT" or "item"';

/** What belongs into a field of this name, wherever it stands in a plan. */
const forms: Readonly<Record<string, string>> = {
  windlass: '1, the version of the plan format',
  id: idForm,
  name: '1 to 64 lower-case letters, digits and dashes, such as "weekly-report"',
  operation: 'an operation such as "transform"',
  nodes: 'a list of nodes, each with id, operation and gives',
  gives: 'each output with its media type, such as { text: text/plain }',
  takes: `each input with where it comes from: ${bindingForm}`,
  after: 'a list of ids of nodes',
  for_each: '"inputs.NAME", or a list with at least one item',
  params: 'an object with what the operation is told',
  media_type: mediaTypeForm,
  from: '"NODE.OUTPUT"',
  kind: '"file" or "files"',
  check: 'one of "not_empty", "json_schema", "contains"',
  COMPUTE_COST: sum,
  ATTEMPTS: 'a whole number from 1 to 1000000',
  WALL_SECONDS: 'a whole number from 1 to 100000000',
  timeout_seconds: `a whole number of seconds from 1 to ${String(limits.attemptTimeoutSeconds)}`,
  priority: 'a whole number from -100 to 100',
  parallelism: `a whole number from 1 to ${String(limits.runParallelism)}`,
  max_attempts: `a whole number from 1 to ${String(limits.actionAttempts)}`,
  max_bytes: `a whole number from 1 to ${String(limits.outputBytes)}`,
};

/** What belongs below a field of this name. */
const formsBelow: Readonly<Record<string, string>> = {
  gives: `${mediaTypeForm}, or { media_type, max_bytes, filename }`,
  media_types: mediaTypeForm,
  takes: bindingForm,
  after: idForm,
  nodes: 'a node with id, operation and gives',
  inputs: '{ kind: file } or { kind: files }',
};

/** Where a field that is too large trips a named limit. */
const limitsOfFields: Readonly<Record<string, LimitName>> = {
  parallelism: 'runParallelism',
  max_attempts: 'actionAttempts',
  timeout_seconds: 'attemptTimeoutSeconds',
  max_bytes: 'outputBytes',
};

/** How faults in the form of a plan are told, on the machine of its writer and by the API. */
export const planWords: DocumentWords = {
  subject: 'the plan',
  fields: [...Object.keys(plan.shape), ...Object.keys(planNode.shape)],
  describe: (path) => {
    if (path.length === 0) return 'an object with windlass, name, budget and nodes';
    const below = readOwn(formsBelow, path.at(-2));
    return below ?? readOwn(forms, path.at(-1));
  },
  explain: (path, value, issue) =>
    explainId(path, value) ?? explainBudget(path, value) ?? explainLimit(path, value, issue),
};

function readOwn<T>(from: Readonly<Record<string, T>>, name: PathStep | undefined): T | undefined {
  return typeof name === 'string' && Object.hasOwn(from, name) ? from[name] : undefined;
}

type Explained = ReturnType<NonNullable<DocumentWords['explain']>>;

function explainId(path: readonly PathStep[], value: unknown): Explained {
  if (path.length !== 3 || path[0] !== 'nodes' || path[2] !== 'id') return undefined;
  if (value === undefined) return undefined;
  const isLong = typeof value === 'string' && value.length > writtenIdCharacters;
  return {
    code: isLong ? 'LONG_ID' : 'BAD_ID',
    message: isLong
      ? `the id has ${String(value.length)} characters; at most ${String(writtenIdCharacters)} are allowed`
      : 'the id is no text of lower-case letters, digits and dashes that begins with a letter',
    fix: `Write ${idForm}.`,
  };
}

/** A line for each dimension. */
const exampleLimits = ['COMPUTE_COST: 0.50 USD', 'ATTEMPTS: 20', 'WALL_SECONDS: 3600'];

function explainBudget(path: readonly PathStep[], value: unknown): Explained {
  if (path[0] !== 'budget' || value !== undefined) return undefined;
  return {
    code: 'NO_BUDGET',
    message: `the plan says no limit for ${path.length === 1 ? 'its budget' : String(path.at(-1))}`,
    fix:
      path.length === 1
        ? `Write budget: { ${exampleLimits.join(', ')} } with the limits you want.`
        : `Write ${exampleLimits.find((each) => each.startsWith(`${String(path.at(-1))}:`)) ?? 'it'} with the limit you want.`,
  };
}

function explainLimit(path: readonly PathStep[], value: unknown, issue: Issue): Explained {
  const limit = issue.code === 'too_big' ? readOwn(limitsOfFields, path.at(-1)) : undefined;
  if (limit === undefined || value === undefined) return undefined;
  return {
    code: 'OVER_LIMIT',
    message: `${String(path.at(-1))} is above ${limit} (${String(limits[limit])})`,
    fix: `Write at most ${String(limits[limit])}.`,
  };
}
