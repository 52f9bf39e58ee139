import { describe, expect, it } from 'vitest';
import { chooseRuntime } from '../../../../cli/artifact/adapter/choose-runtime.ts';
import { splitRuntime } from '../../../../cli/artifact/adapter/split-runtime.ts';
import { findCode } from './setting/expect-code.ts';

const ours = 'WINDLASS_WORKER_RUNTIME';
const theirs = 'HERMES_HELMET_WORKER_RUNTIME';

describe('the runtime', () => {
  it.each([
    ['flag', { [ours]: 'ours', [theirs]: 'theirs' }, 'flag'],
    [undefined, { [ours]: 'ours', [theirs]: 'theirs' }, 'ours'],
    [undefined, { [theirs]: 'theirs' }, 'theirs'],
    [undefined, { [ours]: '', [theirs]: 'theirs' }, 'theirs'],
  ])('A4 is the flag, else our variable, else theirs (%j %j)', (flag, env, expected) => {
    expect(chooseRuntime(flag, env)).toBe(expected);
  });

  it.each([
    [undefined, {}],
    [undefined, { [ours]: '', [theirs]: '' }],
    [undefined, { [ours]: ' \t' }],
    ['', { [ours]: 'ours' }],
  ])('A20 is unset when nothing is named (%j %j)', (flag, env) => {
    expect(findCode(() => chooseRuntime(flag, env))).toBe('worker_runtime_unset');
  });

  it.each([
    ['adapter', ['adapter']],
    ['  ssh -T\tworker \n adapter ', ['ssh', '-T', 'worker', 'adapter']],
    [`'my adapter' "a b" c\\ d`, ['my adapter', 'a b', 'c d']],
    [`a '' "" b`, ['a', '', '', 'b']],
    [`a"b"'c'd`, ['abcd']],
    [`a "say \\"hi\\" \\\\ "`, ['a', 'say "hi" \\ ']],
    [`a 'it\\s'`, ['a', 'it\\s']],
    ['a | b && c ; d > e < f & (g)', 'a | b && c ; d > e < f & (g)'.split(' ')],
    [
      'a $HOME ${X} `id` $(id) * ? [a-z] ~ #b {c,d}',
      'a $HOME ${X} `id` $(id) * ? [a-z] ~ #b {c,d}'.split(' '),
    ],
    ['ä 漢', ['ä', '漢']],
  ])('A52 of %j is words and no shell', (runtime, words) => {
    expect(splitRuntime(runtime)).toEqual(words);
  });

  it.each([`a 'b`, `a "b`, 'a \\', `''`, `"" a`, '\\\n'])('A40 cannot be %j', (runtime) => {
    expect(findCode(() => splitRuntime(runtime))).toBe('artifact_transport_unavailable');
  });
});
