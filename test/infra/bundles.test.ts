import { mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bundleEntries } from '../../build/bundle-entries.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'windlass-bundles-'));
  await writeFile(path.join(folder, 'entry.ts'), 'export class Named { kind: string = "x" }\n');
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function bundle(outputFolder = path.join(folder, 'out')): Promise<string> {
  const entries = { 'one/index': path.join(folder, 'entry.ts') };
  const [file = ''] = await bundleEntries({ entries, outputFolder });
  return file;
}

describe('bundles', () => {
  it('are modules that can be imported and keep the names of classes', async () => {
    const file = await bundle();
    const module = (await import(file)) as { Named: { name: string } };
    expect(module.Named.name).toBe('Named');
  });

  it('are equal bytes for equal sources, so that a deploy changes nothing', async () => {
    const first = await readFile(await bundle());
    const second = await readFile(await bundle(path.join(folder, 'again')));
    expect(second.equals(first)).toBe(true);
  });

  it('are made again when a source changed', async () => {
    await bundle();
    await writeFile(path.join(folder, 'entry.ts'), 'export const changed = 1;\n');
    expect(await readFile(await bundle(), 'utf8')).toContain('changed');
  });

  it('are left alone when nothing changed', async () => {
    const file = await bundle();
    const old = new Date('2020-01-01T00:00:00Z');
    await utimes(file, old, old);
    await bundle();
    expect((await stat(file)).mtime).toEqual(old);
  });

  it('are made again when one is gone', async () => {
    const file = await bundle();
    await rm(file);
    expect(await readFile(await bundle(), 'utf8')).toContain('Named');
  });
});
