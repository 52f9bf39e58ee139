import { z } from 'zod';
import type {
  BuiltInFunction,
  FunctionCall,
  FunctionInput,
  FunctionResult,
} from './built-in-function.ts';
import { listParamFaults, parseParams } from './check-params.ts';
import { FunctionFailure, runToResult } from './function-failure.ts';
import { listInputs, parseInput, type NamedInputs } from './parse-input.ts';
import { renderOutput } from './render-output.ts';

const paramsSchema = z
  .strictObject({
    mode: z.enum(['array', 'object', 'concat']),
    key: z.string().min(1).max(200).optional(),
  })
  .refine((params) => params.key === undefined || params.mode === 'object', {
    path: ['key'],
    error: 'a key only says how entries are named in mode object',
    params: { fix: 'Remove key, or write mode: object.' },
  });

type Params = z.infer<typeof paramsSchema>;

/**
 * Joins JSON or text inputs, in the order of their names and within a name in the order of the request:
 * - `array`: one list with an entry for each artifact;
 * - `concat`: one list with the entries of all lists;
 * - `object`: one object, named by input, or by the text that each artifact holds under `key`.
 */
export const merge: BuiltInFunction = {
  operation: 'merge',
  version: '1.0.0',
  checkParams: (params) => listParamFaults(paramsSchema, params),
  run: (call) => runToResult(() => Promise.resolve(mergeInputs(call))),
};

function mergeInputs(call: FunctionCall): FunctionResult {
  const params = parseParams(paramsSchema, call.params);
  return renderOutput('merge', call, joinInputs(params, listInputs(call)));
}

function joinInputs(params: Params, inputs: NamedInputs[]): unknown {
  const artifacts = inputs.flatMap((input) => input.entries);
  switch (params.mode) {
    case 'array':
      return artifacts.map(parseInput);
    case 'concat':
      return artifacts.flatMap(parseList);
    case 'object':
      return params.key === undefined
        ? nameByInput(inputs)
        : nameByKey(
            params.key,
            artifacts.map((artifact) => ({ artifact, value: parseInput(artifact) })),
          );
  }
}

function parseList(artifact: FunctionInput): unknown[] {
  const value = parseInput(artifact);
  if (Array.isArray(value)) return value as unknown[];
  throw new FunctionFailure(
    'INPUT_INVALID',
    `input ${artifact.name} is not a list; mode concat joins lists, mode array takes anything`,
  );
}

function nameByInput(inputs: NamedInputs[]): Record<string, unknown> {
  return Object.fromEntries(
    inputs.map(({ name, isList, entries }) => {
      const values = entries.map(parseInput);
      return [name, isList ? values : values[0]];
    }),
  );
}

function nameByKey(
  key: string,
  entries: { artifact: FunctionInput; value: unknown }[],
): Record<string, unknown> {
  const named = new Map<string, unknown>();
  for (const { artifact, value } of entries) {
    const name = readKey(key, artifact, value);
    if (named.has(name)) {
      throw new FunctionFailure(
        'INPUT_INVALID',
        `two artifacts have the ${key} "${name}"; use a key that differs, or mode array`,
      );
    }
    named.set(name, value);
  }
  return Object.fromEntries(named);
}

function readKey(key: string, artifact: FunctionInput, value: unknown): string {
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, key)) {
    const name = (value as Record<string, unknown>)[key];
    if (typeof name === 'string') return name;
  }
  throw new FunctionFailure(
    'INPUT_INVALID',
    `an artifact of input ${artifact.name} has no text under "${key}" to name it by`,
  );
}
