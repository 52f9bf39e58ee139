import { z } from 'zod';
import { makeFault, readPath } from '../../schemas/make-fault.ts';
import type { Fault } from '../../schemas/problem.ts';
import type {
  BuiltInFunction,
  FunctionCall,
  FunctionInput,
  FunctionResult,
} from './built-in-function.ts';
import { listParamFaults, parseParams } from './check-params.ts';
import { compileSchema, type Finding } from './compile-schema.ts';
import { findSchemaFault } from './find-schema-fault.ts';
import { FunctionFailure, runToResult } from './function-failure.ts';
import { functionLimits } from './function-limits.ts';
import { listInputs, parseInput, parseJsonInput, type NamedInputs } from './parse-input.ts';
import { renderOutput } from './render-output.ts';

const paramsSchema = z.strictObject({
  schema: z
    .union([z.boolean(), z.record(z.string(), z.unknown())])
    .optional()
    .superRefine((schema, context) => {
      const fault = schema === undefined ? undefined : findSchemaFault(schema);
      if (fault !== undefined) {
        const fix = 'Write a JSON Schema of draft 2020-12.';
        const message = `the JSON Schema is of no use, because ${fault}`;
        context.addIssue({ code: 'custom', message, params: { fix } });
      }
    }),
  fail: z.boolean().default(true),
});

/**
 * Checks every input but `schema` against a JSON Schema 2020-12 from the params or from the input `schema`. The report is
 * `{valid, errors: [{path, message}]}`, the path a JSON Pointer that starts with the input's name. Findings end the node
 * with `VALIDATION_FAILED`, unless `fail` is false: then they are only reported.
 */
export const validate: BuiltInFunction = {
  operation: 'validate',
  version: '1.0.0',
  checkParams: (params, inputs) => [
    ...listParamFaults(paramsSchema, params),
    ...listSchemaFaults(params, inputs),
  ],
  run: (call) => runToResult(() => Promise.resolve(validateInputs(call))),
};

/** There is one schema, in the params or as an input, and something beside it to check. */
function listSchemaFaults(params: unknown, inputs: readonly string[]): Fault[] {
  const schema = readPath(params, ['schema']);
  const isBound = inputs.includes('schema');
  const faults: Fault[] = [];
  if (schema === undefined && !isBound) {
    faults.push(
      makeFault(['schema'], schema, {
        code: 'PARAMS_INVALID',
        message: 'there is no JSON Schema to validate against',
        fix: 'Write params: { schema: … }, or take one as the input "schema".',
      }),
    );
  }
  if (schema !== undefined && isBound) {
    faults.push(
      makeFault(['schema'], schema, {
        code: 'PARAMS_INVALID',
        message: 'params.schema and the input "schema" are both given',
        fix: 'Keep one of them.',
      }),
    );
  }
  if (isBound && inputs.length === 1) {
    faults.push(
      makeFault([], params, {
        code: 'PARAMS_INVALID',
        message: 'there is no input to validate beside the schema',
        fix: 'Take what has to be validated as another input.',
      }),
    );
  }
  return faults;
}

function validateInputs(call: FunctionCall): FunctionResult {
  const params = parseParams(paramsSchema, call.params);
  const inputs = listInputs(call);
  const check = compileSchema(chooseSchema(params.schema, inputs));
  const subjects = inputs.filter((input) => input.name !== 'schema');
  if (subjects.every((input) => input.entries.length === 0)) {
    throw new FunctionFailure('INPUT_INVALID', 'there is no input to validate beside the schema');
  }
  const found = subjects.flatMap(({ name, isList, entries }) =>
    entries.flatMap((entry, index) =>
      check(parseInput(entry)).map((finding) => ({
        path: `${isList ? `/${name}/${String(index)}` : `/${name}`}${finding.path}`,
        message: finding.message,
      })),
    ),
  );
  if (found.length > 0 && params.fail) {
    throw new FunctionFailure('VALIDATION_FAILED', describeFindings(found));
  }
  const errors = found.slice(0, functionLimits.reportedErrors);
  return renderOutput('validate', call, { valid: found.length === 0, errors });
}

function chooseSchema(
  fromParams: boolean | Record<string, unknown> | undefined,
  inputs: NamedInputs[],
): unknown {
  const bound: FunctionInput[] = inputs.find((input) => input.name === 'schema')?.entries ?? [];
  const [first, ...others] = bound;
  if (fromParams !== undefined && first !== undefined) {
    throw new FunctionFailure(
      'PARAMS_INVALID',
      'params.schema and the input schema are both given; keep one of them',
    );
  }
  if (fromParams !== undefined) return fromParams;
  if (first !== undefined && others.length === 0) return parseJsonInput(first);
  throw new FunctionFailure(
    'PARAMS_INVALID',
    'give one JSON Schema, in params.schema or as the input named schema',
  );
}

function describeFindings(found: Finding[]): string {
  const shown = found.slice(0, 5).map((finding) => `${finding.path}: ${finding.message}`);
  const rest =
    found.length > shown.length ? `; and ${String(found.length - shown.length)} more` : '';
  return `${shown.join('; ')}${rest}`;
}
