import { describe, expect, it } from 'vitest';
import { refuse } from '../../../cli/command-failure.ts';
import { explainDownloadFault } from '../../../cli/download/explain-download-fault.ts';

function failAs(code: string): Error {
  return Object.assign(new Error(`${code}: planted, rename`), { code, syscall: 'rename' });
}

const explain = (error: unknown, ...published: string[]) =>
  explainDownloadFault(error, { folder: 'out', published });

describe('explainDownloadFault', () => {
  it.each([
    ['ENOSPC', 'make room there, or choose another --to'],
    ['EDQUOT', 'make room there, or choose another --to'],
    ['EACCES', 'choose another --to'],
  ])('names the folder and what to do at %s', (code, fix) => {
    expect(explain(failAs(code))).toMatchObject({
      exit: 1,
      code: 'DESTINATION_UNUSABLE',
      message: `out cannot be written to: ${code}: planted, rename`,
      fix,
    });
  });

  it('keeps code and advice of a fault that comes after the first file was written', () => {
    expect(explain(failAs('ENOSPC'), 'out/a', 'out/b')).toMatchObject({
      exit: 1,
      code: 'DESTINATION_UNUSABLE',
      message: 'out cannot be written to: ENOSPC: planted, rename; written before it: out/a, out/b',
      fix: 'make room there, or choose another --to',
      cause: { code: 'ENOSPC' },
    });
    expect(explain(refuse('DESTINATION_INVALID', 'out/c is a folder'), 'out/a')).toMatchObject({
      code: 'DESTINATION_INVALID',
      message: 'out/c is a folder; written before it: out/a',
      fix: undefined,
    });
  });

  it('leaves alone what is no fault of the file system', () => {
    const fault = new Error('a mistake in the program');
    expect(explain(fault)).toBe(fault);
    const refused = refuse('DESTINATION_EXISTS', 'out/a exists');
    expect(explain(refused)).toBe(refused);
  });
});
