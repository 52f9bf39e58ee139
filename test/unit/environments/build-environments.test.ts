import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildEnvironments } from '../../../executor-task/environments/build-environments.ts';
import { digestBytes, digestCanonical } from '../../../schemas/digest.ts';

const repositoryRoot = join(import.meta.dirname, '../../..');
const documents = 'executor-task/environments/documents-v1';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windlass-environments-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Another clone: the same sources and the same locked dependencies at another path. */
async function cloneTree(name: string): Promise<string> {
  const clone = join(folder, name);
  for (const part of ['executor-task', 'schemas', 'package.json']) {
    await cp(join(repositoryRoot, part), join(clone, part), { recursive: true });
  }
  await symlink(join(repositoryRoot, 'node_modules'), join(clone, 'node_modules'));
  return clone;
}

const build = async (root: string, output: string, pin = false) =>
  await buildEnvironments({ repositoryRoot: root, outputRoot: join(folder, output), pin });

describe('build-environments', () => {
  it('E99 builds the tools to the digests that are pinned, also from another path', async () => {
    const here = await build(repositoryRoot, 'here');
    const there = await build(await cloneTree('a/deeper/clone'), 'there');
    expect(there).toEqual(here);
    expect(here['documents-v1']).toMatch(/^[0-9a-f]{64}$/);
  });

  it('E57 states the digest over the list of paths and digests of its files', async () => {
    const digests = await build(repositoryRoot, 'out');
    const output = join(folder, 'out/documents-v1');
    const paths = ['environment.json', 'tools/render-digest.mjs', 'tools/term-index.mjs'];
    const list = [];
    for (const path of paths) {
      list.push({ path, sha256: digestBytes(await readFile(join(output, path))) });
    }
    expect(digests['documents-v1']).toBe(digestCanonical(list));
    expect(await readFile(join(output, 'digest'), 'utf8')).toBe(`${digestCanonical(list)}\n`);
  });

  it('E99 refuses a changed tool until it is pinned anew', async () => {
    const clone = await cloneTree('clone');
    const words = join(clone, documents, 'tools/stop-words.ts');
    await writeFile(words, (await readFile(words, 'utf8')).replace(' yours`', ' yours winch`'));
    const before = await build(repositoryRoot, 'before');
    await expect(build(clone, 'refused')).rejects.toThrow(
      /documents-v1: tools\/term-index\.mjs is [0-9a-f]{64}, but [0-9a-f]{64} is pinned[^]*--pin/,
    );
    const pinned = await build(clone, 'pinned', true);
    expect(pinned).not.toEqual(before);
    expect(await build(clone, 'again')).toEqual(pinned);
  });

  it('names a manifest’s faults', async () => {
    const clone = await cloneTree('clone');
    const path = join(clone, documents, 'environment.json');
    await writeFile(path, '{"name":"documents-v1","version":"1.0.0","commands":{},"extra":1}');
    await expect(build(clone, 'out')).rejects.toThrow(/environment\.json[^]*extra/);
  });

  it('makes tools that run alone, with an empty environment', async () => {
    await build(repositoryRoot, 'out');
    for (const tool of ['term-index', 'render-digest']) {
      // Nothing is laid out, so each tool says that it cannot read its inputs: it was loaded and it ran.
      const run = spawnSync(
        process.execPath,
        [join(folder, 'out/documents-v1/tools', `${tool}.mjs`)],
        { env: {}, cwd: '/', encoding: 'utf8' },
      );
      expect(run.stderr).toMatch(/^\/work\/inputs\.json cannot be read/);
      expect(run.status).toBe(1);
    }
  });
});
