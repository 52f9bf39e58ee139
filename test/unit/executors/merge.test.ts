import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FunctionInput } from '../../../functions/executors/built-in-function.ts';
import { merge } from '../../../functions/executors/merge.ts';
import { callFunction, input, jsonInput, readFailure, readOutput } from './call-function.ts';

const inputs = {
  b: jsonInput('b', { id: 'second' }),
  a: [jsonInput('a', { id: 'first' }), jsonInput('a', { id: 'third' })],
};

describe('merge', () => {
  it('lists artifacts by input name, then in the order of the request', async () => {
    expect(readOutput(await callFunction(merge, { mode: 'array' }, inputs))).toBe(
      '[{"id":"first"},{"id":"third"},{"id":"second"}]',
    );
  });

  it('names them by input, a bound list as a list', async () => {
    expect(readOutput(await callFunction(merge, { mode: 'object' }, inputs))).toBe(
      '{"a":[{"id":"first"},{"id":"third"}],"b":{"id":"second"}}',
    );
  });

  it('names them by a key, and refuses a missing or a repeated one', async () => {
    const params = { mode: 'object', key: 'id' };
    expect(readOutput(await callFunction(merge, params, inputs))).toBe(
      '{"first":{"id":"first"},"second":{"id":"second"},"third":{"id":"third"}}',
    );
    const twice = { ...inputs, c: jsonInput('c', { id: 'first' }) };
    expect(readFailure(await callFunction(merge, params, twice))).toMatch(
      /^INPUT_INVALID: two artifacts/,
    );
    const without = { ...inputs, c: jsonInput('c', { id: 1 }) };
    expect(readFailure(await callFunction(merge, params, without))).toMatch(
      /^INPUT_INVALID: .*no text under "id"/,
    );
  });

  it('joins lists, and refuses what is no list', async () => {
    const lists = { a: jsonInput('a', [1, 2]), b: jsonInput('b', [3]) };
    expect(readOutput(await callFunction(merge, { mode: 'concat' }, lists))).toBe('[1,2,3]');
    expect(readFailure(await callFunction(merge, { mode: 'concat' }, inputs))).toMatch(
      /^INPUT_INVALID: input a is not a list/,
    );
  });

  it('takes text beside JSON, and keeps a key named __proto__ a key', async () => {
    const result = await callFunction(
      merge,
      { mode: 'array' },
      { a: input('a', 'text/plain', 'quay'), b: input('b', 'application/json', '{"__proto__":1}') },
    );
    expect(readOutput(result)).toBe('["quay",{"__proto__":1}]');
  });

  it('refuses unknown params, all at once', () => {
    expect(merge.checkParams({ mode: 'zip', sort: true }, [])).toHaveLength(2);
    expect(merge.checkParams({ mode: 'array', key: 'id' }, [])).toHaveLength(1);
    expect(merge.checkParams({ mode: 'object', key: 'id' }, [])).toEqual([]);
  });

  it('refuses inputs beyond the limit together', async () => {
    const half = input('x', 'text/plain', 'x'.repeat(13 * 1024 * 1024));
    expect(readFailure(await callFunction(merge, { mode: 'array' }, { a: half, b: half }))).toMatch(
      /^LIMIT_EXCEEDED: the inputs are/,
    );
  });

  it('gives equal bytes whatever the order in which inputs are named', async () => {
    const values = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.jsonValue({ maxDepth: 3 }));
    await fc.assert(
      fc.asyncProperty(values, fc.constantFrom('array', 'object'), async (named, mode) => {
        const bound = Object.entries(named).map(([name, value]): [string, FunctionInput] => [
          name,
          jsonInput(name, value),
        ]);
        const forth = await callFunction(merge, { mode }, Object.fromEntries(bound));
        const back = await callFunction(merge, { mode }, Object.fromEntries(bound.reverse()));
        expect(readOutput(back)).toBe(readOutput(forth));
      }),
      { numRuns: 60 },
    );
  });
});
