import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { transform } from '../../../functions/executors/transform/transform.ts';
import { callFunction, input, jsonInput, readFailure, readOutput } from './call-function.ts';

const evaluate = async (expression: string, value: unknown = { list: [3, 1, 2] }) =>
  await callFunction(transform, { expression }, { data: jsonInput('data', value) });

describe('transform', () => {
  it('evaluates over inputs and params and gives canonical JSON', async () => {
    const params = { expression: '{"z": $sum(inputs.data.list), "a": params.factor}', factor: 7 };
    const result = await callFunction(transform, params, {
      data: jsonInput('data', { list: [1, 2] }),
    });
    expect(readOutput(result)).toBe('{"a":7,"z":3}');
  });

  it('gives a text as it is where the contract declares text', async () => {
    const inputs = { note: input('note', 'text/plain', 'quay') };
    const params = { expression: '$uppercase(inputs.note)' };
    expect(readOutput(await callFunction(transform, params, inputs, 'text/plain'))).toBe('QUAY');
    const refused = await callFunction(transform, { expression: '[1]' }, inputs, 'text/plain');
    expect(readFailure(refused)).toMatch(/^PARAMS_INVALID: output result is declared as text/);
  });

  it('keeps a bound list a list, even of one entry', async () => {
    const result = await callFunction(
      transform,
      { expression: 'inputs.data[]' },
      { data: [jsonInput('data', 1)] },
    );
    expect(readOutput(result)).toBe('[1]');
  });

  it.each(['$now()', '$millis()', '$random()', '$shuffle([1,2])', '$eval("1")'])(
    'refuses %s, which would make equal inputs give unequal results',
    async (expression) => {
      expect(readFailure(await evaluate(expression))).toMatch(/^PARAMS_INVALID: .*not available/);
    },
  );

  it.each([
    ['a call', '$now()', 'now', 4],
    ['a call', 'inputs.data ~> $map(function($x){ $x + $millis() })', 'millis', 46],
    ['a call', '{"a": [$random()]}', 'random', 14],
    ['a call', '$shuffle([1, 2])', 'shuffle', 8],
    ['a call', '$eval("1")', 'eval', 5],
    ['~>', 'inputs.data.list ~> $shuffle', 'shuffle', 28],
    ['~> with arguments', '"[Y]" ~> $now()', 'now', 13],
    ['a partial application', '($f := $now(?, "Z"); $f("[Y]"))', 'now', 11],
    ['a function handed on', '$map(inputs.data.list, $random)', 'random', 30],
    ['a lambda in a lambda', '(function($x){ (function(){ $now() })() })(1)', 'now', 32],
    ['a predicate', '$$[$random() > 0.5]', 'random', 10],
    ['the order of a sort', 'inputs.data^(>$random())', 'random', 21],
    ['another block than binds it', '(($now := 1); $now())', 'now', 18],
    ['another lambda than takes it', '(function($now){ $now }; $now())', 'now', 29],
  ])('refuses %s at admission: %s', (_way, expression, name, position) => {
    const faults = transform.checkParams({ expression }, []);
    expect(faults).toMatchObject([
      {
        path: '/expression',
        message: `the expression names $${name} at character ${String(position)}, which is not available: equal inputs must give equal results`,
        fix: `Leave $${name} out; pass what it would give as a param.`,
      },
    ]);
  });

  it('names each refused function once', () => {
    const faults = transform.checkParams({ expression: '[$random(), $now(), $random()]' }, []);
    expect(faults.map(({ message }) => message.slice(0, 39))).toEqual([
      'the expression names $random at charact',
      'the expression names $now at character ',
    ]);
  });

  it.each([
    ['bound in the block', '($now := function(){ 7 }; $now())', '7'],
    ['bound in a block around', '($now := 7; function(){ ($now) }())', '7'],
    ['a parameter of a lambda', 'function($eval){ $eval + 1 }(6)', '7'],
    ['the context of a step', 'inputs.data@$now.{"a": $now.now}', '{"a":7}'],
    ['the index of a step', '(inputs.data.list#$random.($random + 7))[0]', '7'],
    ['a field', 'inputs.data.now', '7'],
    ['a text', '"$now()"', '"$now()"'],
  ])('takes a name that is %s', async (_way, expression, output) => {
    expect(transform.checkParams({ expression }, [])).toEqual([]);
    expect(readOutput(await evaluate(expression, { now: 7, list: [1] }))).toBe(output);
  });

  it('refuses in the run what is bound only after its call', async () => {
    const expression = '($f := function(){ $now() }; $g := $f(); $now := 1; $g)';
    expect(transform.checkParams({ expression }, [])).toEqual([]);
    expect(readFailure(await evaluate(expression))).toBe(
      'PARAMS_INVALID: $now is not available: equal inputs must give equal results; pass the value as a param',
    );
  });

  it('fills what a date picture leaves open from a fixed day', async () => {
    expect(readOutput(await evaluate('$toMillis("10:20", "[H01]:[m01]")'))).toBe('37200000');
  });

  it.each([
    ['endless tail recursion', '($f := function($n){ $f($n+1) }; $f(0))'],
    ['endless recursion', '($f := function($n){ 1 + $f($n+1) }; $f(0))'],
    ['a text that doubles', '($f := function($s,$n){ $n=0 ? $s : $f($s & $s,$n-1) }; $f("x",40))'],
    [
      'a value that shares its parts',
      '($f := function($s,$n){ $n=0 ? $s : $f({"a":$s,"b":$s},$n-1) }; $string($f(1,40)))',
    ],
    ['a long range', '[1..10000000]'],
    ['a wide padding', '$pad("x", 1000000000)'],
  ])('stops %s with LIMIT_EXCEEDED', async (_name, expression) => {
    expect(readFailure(await evaluate(expression))).toMatch(/^LIMIT_EXCEEDED: /);
  });

  it('stops a pattern that backtracks without end, and finds every match of a good one', async () => {
    const text = `${'a'.repeat(60)}!`;
    expect(readFailure(await evaluate('$match(inputs.data, /^(a+)+$/)', text))).toMatch(
      /^LIMIT_EXCEEDED: the pattern/,
    );
    expect(readOutput(await evaluate('$replace(inputs.data, /(a)+?/, "b")', text))).toBe(
      JSON.stringify(`${'b'.repeat(60)}!`),
    );
  });

  it.each(['process', '$process', 'inputs.constructor', '$string.constructor', 'inputs.__proto__'])(
    'sees nothing of the program around it through %s',
    async (expression) => {
      expect(readFailure(await evaluate(expression))).toMatch(/^INPUT_INVALID: .*selects nothing/);
    },
  );

  it('says where an expression fails, at admission for its syntax and at run for the data', async () => {
    expect(transform.checkParams({ expression: 'inputs.(' }, [])[0]?.message).toMatch(
      /^the expression is not JSONata: at character \d+/,
    );
    expect(transform.checkParams({ expression: 'inputs.data' }, [])).toEqual([]);
    expect(readFailure(await evaluate('$sum(inputs.data)', ['a']))).toMatch(
      /^INPUT_INVALID: at character \d+: Argument 1/,
    );
  });

  it.each([
    ['not JSON', input('data', 'application/json', '{"a":')],
    ['not UTF-8', input('data', 'application/json', Uint8Array.of(0x22, 0xff, 0x22))],
    ['of a wrong type', input('data', 'application/pdf', '%PDF')],
  ])('refuses an input that is %s', async (_name, data) => {
    const result = await callFunction(transform, { expression: 'inputs' }, { data });
    expect(readFailure(result)).toMatch(/^INPUT_INVALID: input data is/);
  });

  it('refuses JSON that is nested beyond the limit', async () => {
    const deep = input('data', 'application/json', '['.repeat(5_000) + ']'.repeat(5_000));
    const result = await callFunction(transform, { expression: '1' }, { data: deep });
    expect(readFailure(result)).toMatch(/^LIMIT_EXCEEDED: input data is nested/);
  });

  it('refuses a result without a JSON form', async () => {
    expect(readFailure(await evaluate('function($x){$x}'))).toMatch(/^PARAMS_INVALID: .*function/);
    expect(readFailure(await evaluate('1/0'))).toMatch(/^INPUT_INVALID: .*no JSON form/);
  });

  it('gives equal bytes for equal data whatever the order of keys', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), async (value) => {
        const turned = Object.fromEntries(Object.entries(value).reverse());
        const expression = '{"all": inputs.data, "keys": $sort($keys(inputs.data))}';
        const first = readOutput(await evaluate(expression, value));
        expect(readOutput(await evaluate(expression, turned))).toBe(first);
      }),
      { numRuns: 60 },
    );
  });
});
