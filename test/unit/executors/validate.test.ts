import { describe, expect, it } from 'vitest';
import { validate } from '../../../functions/executors/validate.ts';
import { callFunction, input, jsonInput, readFailure, readOutput } from './call-function.ts';

const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: { load: { type: 'number', minimum: 0 }, due: { type: 'string', format: 'date' } },
  required: ['load'],
  unevaluatedProperties: false,
};
const good = jsonInput('winch', { load: 12, due: '2026-09-01' });
const bad = jsonInput('winch', { load: -1, due: 'soon', x: 1 });

describe('validate', () => {
  it('reports a valid input', async () => {
    expect(readOutput(await callFunction(validate, { schema }, { winch: good }))).toBe(
      '{"errors":[],"valid":true}',
    );
  });

  it('fails on findings unless fail is false; then it reports them with their paths', async () => {
    const failed = readFailure(await callFunction(validate, { schema }, { winch: bad }));
    expect(failed).toMatch(/^VALIDATION_FAILED: .*\/winch\/load: must be >= 0/);
    const report = await callFunction(validate, { schema, fail: false }, { winch: [good, bad] });
    const parsed = JSON.parse(readOutput(report)) as { valid: boolean; errors: { path: string }[] };
    expect(parsed.valid).toBe(false);
    expect(parsed.errors.map((error) => error.path).sort()).toEqual([
      '/winch/1',
      '/winch/1/due',
      '/winch/1/load',
    ]);
  });

  it('takes the schema from the input named schema, but not from two places', async () => {
    const inputs = { winch: good, schema: jsonInput('schema', schema) };
    expect(readOutput(await callFunction(validate, {}, inputs))).toContain('"valid":true');
    expect(readFailure(await callFunction(validate, { schema }, inputs))).toMatch(/both given/);
    expect(readFailure(await callFunction(validate, {}, { winch: good }))).toMatch(
      /^PARAMS_INVALID: give one JSON Schema/,
    );
  });

  it('refuses to pass when there is nothing to validate', async () => {
    expect(readFailure(await callFunction(validate, { schema }, { winch: [] }))).toMatch(
      /^INPUT_INVALID: there is no input/,
    );
  });

  it.each([
    ['a misspelt keyword', { type: 'object', propertys: {} }],
    ['another dialect', { $schema: 'http://json-schema.org/draft-07/schema#' }],
    ['a reference out of the schema', { $ref: 'https://example.com/other.json' }],
    ['a broken keyword', { type: 'winch' }],
    ['an asynchronous schema', { $async: true }],
    ['a broken pattern', { pattern: '(' }],
  ])('refuses %s at admission', (_name, wrong) => {
    expect(validate.checkParams({ schema: wrong }, ['data'])).toHaveLength(1);
  });

  it('accepts a good schema at admission', () => {
    expect(validate.checkParams({ schema }, ['data'])).toEqual([]);
  });

  it('bounds the report and stops a pattern that backtracks without end', async () => {
    const numbers = jsonInput(
      'list',
      Array.from({ length: 500 }, () => 'x'),
    );
    const params = { schema: { items: { type: 'number' } }, fail: false };
    const report = readOutput(await callFunction(validate, params, { list: numbers }));
    expect((JSON.parse(report) as { errors: unknown[] }).errors).toHaveLength(100);
    const hostile = { schema: { pattern: '^(a+)+$' } };
    const text = jsonInput('text', `${'a'.repeat(60)}!`);
    expect(readFailure(await callFunction(validate, hostile, { text }))).toMatch(/^LIMIT_EXCEEDED/);
  });

  it('checks text as a string', async () => {
    const params = { schema: { type: 'string', minLength: 9 } };
    const inputs = { text: input('text', 'text/plain', 'quay') };
    expect(readFailure(await callFunction(validate, params, inputs))).toMatch(/^VALIDATION_FAILED/);
  });
});
