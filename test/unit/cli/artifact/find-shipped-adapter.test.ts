import { chmod, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { splitRuntime } from '../../../../cli/artifact/adapter/split-runtime.ts';
import { useFolder } from './setting/use-folder.ts';

const folder = useFolder();

describe('an adapter that comes with the command', () => {
  it('is found by its bare name without PATH', () => {
    const [program, ...words] = splitRuntime('windlass-aws --stack second', { PATH: folder.path });
    expect(program).toMatch(/\/cli\/bin\/windlass-aws\.mjs$/);
    expect(words).toEqual(['--stack', 'second']);
  });

  it('is the one on PATH where there is one', async () => {
    await writeFile(folder.at('windlass-aws'), '');
    expect(splitRuntime('windlass-aws', { PATH: folder.path })[0]).toMatch(/\.mjs$/);
    await chmod(folder.at('windlass-aws'), 0o755);
    expect(splitRuntime('windlass-aws', { PATH: `/none::${folder.path}` })).toEqual([
      'windlass-aws',
    ]);
  });

  it('is not meant by a path, nor any other name', () => {
    for (const program of ['./windlass-aws', 'windlass-gcp', 'aws'])
      expect(splitRuntime(program, { PATH: folder.path })).toEqual([program]);
  });
});
