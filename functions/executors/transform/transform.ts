import jsonata from 'jsonata';
import { z } from 'zod';
import type { BuiltInFunction, FunctionCall, FunctionResult } from '../built-in-function.ts';
import { listParamFaults, parseParams } from '../check-params.ts';
import { FunctionFailure, runToResult } from '../function-failure.ts';
import { functionLimits } from '../function-limits.ts';
import { listInputs, parseInput } from '../parse-input.ts';
import { renderOutput } from '../render-output.ts';
import { compileExpression } from './compile-expression.ts';
import { isClosure } from './evaluation-guard.ts';
import { findRefusedFunctions } from './find-refused-functions.ts';

const paramsSchema = z.looseObject({
  expression: z
    .string()
    .min(1)
    .max(functionLimits.expressionCharacters)
    .superRefine((expression, context) => {
      for (const { message, fix } of findFaults(expression))
        context.addIssue({ code: 'custom', message, params: { fix } });
    }),
});

/**
 * Evaluates a JSONata expression over `{inputs, params}`: `inputs.NAME` is the parsed JSON or the text of that input (a
 * list where the contract binds a list), `params` all params of the node, so that further ones can steer the expression.
 * Nothing in it depends on time or chance: `$now`, `$millis`, `$random`, `$shuffle` and `$eval` are refused.
 */
export const transform: BuiltInFunction = {
  operation: 'transform',
  version: '1.0.0',
  checkParams: (params) => listParamFaults(paramsSchema, params),
  run: (call) => runToResult(() => evaluate(call)),
};

async function evaluate(call: FunctionCall): Promise<FunctionResult> {
  const params = parseParams(paramsSchema, call.params);
  const inputs = Object.fromEntries(
    listInputs(call).map(({ name, isList, entries }) => {
      const parsed = entries.map(parseInput);
      return [name, isList ? parsed : parsed[0]];
    }),
  );
  const result = await evaluateExpression(params.expression, { inputs, params });
  if (result === undefined) {
    throw new FunctionFailure(
      'INPUT_INVALID',
      'the expression selects nothing from these inputs; compare the paths in it with the data',
    );
  }
  if (typeof result === 'object' && result !== null && isClosure(result)) {
    throw new FunctionFailure('PARAMS_INVALID', 'the expression gives a function; call it');
  }
  return renderOutput('transform', call, result);
}

async function evaluateExpression(expression: string, data: unknown): Promise<unknown> {
  try {
    return (await compileExpression(expression).evaluate(data)) as unknown;
  } catch (error) {
    if (error instanceof FunctionFailure) throw error;
    throw new FunctionFailure(findFailureCode(error), describeFault(error), { cause: error });
  }
}

/** What can be told of an expression before there are data for it. */
function findFaults(expression: string): { message: string; fix: string }[] {
  let tree: unknown;
  try {
    tree = jsonata(expression).ast();
  } catch (error) {
    const message = `the expression is not JSONata: ${describeFault(error)}`;
    return [{ message, fix: 'Mend the JSONata expression there.' }];
  }
  return findRefusedFunctions(tree).map(({ name, position }) => {
    const where = position === undefined ? '' : ` at character ${String(position)}`;
    return {
      message: `the expression names $${name}${where}, which is not available: equal inputs must give equal results`,
      fix: `Leave $${name} out; pass what it would give as a param.`,
    };
  });
}

/** JSONata's codes for its own guards; a `RangeError` is the engine's stack or string limit. */
const limitCodes: ReadonlySet<string> = new Set(['D1011', 'D1012', 'D2014', 'D2015']);

function findFailureCode(error: unknown): 'LIMIT_EXCEEDED' | 'INPUT_INVALID' {
  if (error instanceof RangeError) return 'LIMIT_EXCEEDED';
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && limitCodes.has(code) ? 'LIMIT_EXCEEDED' : 'INPUT_INVALID';
}

function describeFault(error: unknown): string {
  // JSONata throws plain objects, not errors.
  const { message, position } = (error ?? {}) as { message?: unknown; position?: unknown };
  const text = typeof message === 'string' ? message : 'the expression cannot be evaluated';
  return typeof position === 'number' ? `at character ${String(position)}: ${text}` : text;
}
