import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { FunctionFailure } from './function-failure.ts';
import { functionLimits } from './function-limits.ts';
import { BoundedRegExp } from './match-within-limit.ts';
import { checkDepth } from './parse-input.ts';

export interface Finding {
  /** JSON Pointer into the value; empty for the value itself. */
  path: string;
  message: string;
}

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/**
 * Compiles a JSON Schema 2020-12 to a check that lists the findings of a value. A keyword that the dialect does not know
 * is refused, because a misspelt rule would check nothing. Nothing is fetched: a `$ref` must point into the schema.
 * Throws `PARAMS_INVALID` or `LIMIT_EXCEEDED`.
 */
export function compileSchema(schema: unknown): (value: unknown) => Finding[] {
  refuseForeignSchema(schema);
  // A fresh instance each time: one that lives on would keep every schema, and mix up equal `$id`s.
  const ajv = new Ajv2020({
    allErrors: true,
    strictTypes: false,
    strictTuples: false,
    logger: false,
    code: { regExp: createBoundedPattern },
  });
  addFormats.default(ajv);
  try {
    const check = ajv.compile(schema as object);
    return (value) => (check(value) ? [] : (check.errors ?? []).map(describeFinding));
  } catch (error) {
    if (error instanceof FunctionFailure) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new FunctionFailure('PARAMS_INVALID', `the JSON Schema cannot be used: ${reason}`, {
      cause: error,
    });
  }
}

function refuseForeignSchema(schema: unknown): void {
  if (typeof schema === 'boolean') return;
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    throw new FunctionFailure('PARAMS_INVALID', 'a JSON Schema is an object or a boolean');
  }
  checkDepth(schema, 'the JSON Schema');
  const { $schema: declared, $async: isAsync } = schema as { $schema?: unknown; $async?: unknown };
  if (declared !== undefined && declared !== dialect) {
    throw new FunctionFailure('PARAMS_INVALID', `$schema must be ${dialect}, or be left out`);
  }
  if (isAsync !== undefined) {
    throw new FunctionFailure('PARAMS_INVALID', '$async is not part of JSON Schema; remove it');
  }
  if (JSON.stringify(schema).length > functionLimits.schemaBytes) {
    throw new FunctionFailure(
      'LIMIT_EXCEEDED',
      `the JSON Schema is larger than ${String(functionLimits.schemaBytes)} bytes`,
    );
  }
}

/** ajv writes `code` into generated modules only; nothing here generates one. */
const createBoundedPattern = Object.assign(
  (pattern: string, flags: string) => new BoundedRegExp(pattern, flags),
  { code: 'new RegExp' },
);

function describeFinding(error: ErrorObject): Finding {
  return {
    path: error.instancePath,
    message: `${error.message ?? 'is not valid'}${describeParams(error)}`,
  };
}

/** ajv's text for these does not say which property it found. */
function describeParams(error: ErrorObject): string {
  const params = error.params as Record<string, unknown>;
  const named = params['additionalProperty'] ?? params['unevaluatedProperty'];
  if (typeof named === 'string') return `: ${named}`;
  return Array.isArray(params['allowedValues'])
    ? `: ${JSON.stringify(params['allowedValues'])}`
    : '';
}
