import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import {
  collectOutputs,
  DEFAULT_COLLECT_LIMITS,
} from '../../../executor-task/sandbox/collect-outputs.ts';

describe('collecting outputs', () => {
  let base: string;
  let tree: string;
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'collect-'));
    tree = join(base, 'tree');
    mkdirSync(tree);
  });
  afterEach(() => rm(base, { recursive: true }));

  const collect = (limits = {}) =>
    collectOutputs(tree, join(base, 'taken'), { ...DEFAULT_COLLECT_LIMITS, ...limits });
  const explain = async (limits = {}) =>
    (await collect(limits)).refused.map((entry) => `${entry.path} ${entry.reason}`);

  it('E83 copies regular files of nested folders, measured by what it copied', async () => {
    mkdirSync(join(tree, 'a/b'), { recursive: true });
    writeFileSync(join(tree, 'a/b/üben.txt'), 'hello');
    const { files, refused } = await collect();
    const sha256 = createHash('sha256').update('hello').digest('hex');
    expect(files).toMatchObject([{ path: 'a/b/üben.txt', size: 5, sha256 }]);
    expect(await readFile(files[0]!.file, 'utf8')).toBe('hello');
    expect(refused).toEqual([]);
  });

  it('E83 follows no link, to a file or a folder', async () => {
    writeFileSync(join(base, 'secret'), 'secret');
    symlinkSync(join(base, 'secret'), join(tree, 'file'));
    symlinkSync('/etc', join(tree, 'folder'));
    expect((await collect()).files).toEqual([]);
    expect(await explain()).toEqual(['file is a symbolic link', 'folder is a symbolic link']);
  });

  it('E83 does not enter a tree whose root is a link', async () => {
    symlinkSync(tree, join(base, 'link'));
    const { refused } = await collectOutputs(join(base, 'link'), join(base, 'taken'));
    expect(refused).toEqual([{ path: '', reason: 'is not a folder' }]);
  });

  it('E83 refuses a file with a second name', async () => {
    writeFileSync(join(tree, 'one'), 'x');
    linkSync(join(tree, 'one'), join(base, 'other'));
    expect(await explain()).toEqual(['one has more than one name']);
  });

  it('E83 refuses FIFOs and sockets without waiting for them', async () => {
    execFileSync('/usr/bin/mkfifo', [join(tree, 'fifo')]);
    const server = createServer().listen(join(tree, 'socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    try {
      const reasons = await explain();
      expect(reasons).toEqual(['fifo is not a regular file', 'socket is not a regular file']);
    } finally {
      server.close();
    }
  });

  it('E83 refuses a name that is not UTF-8 and takes its neighbour', async () => {
    writeFileSync(Buffer.concat([Buffer.from(`${tree}/bad`), Buffer.from([0xff])]), 'x');
    writeFileSync(join(tree, 'good'), 'x');
    const { files, refused } = await collect();
    expect(files.map((file) => file.path)).toEqual(['good']);
    expect(refused).toEqual([{ path: 'bad?', reason: 'has a name that is not UTF-8' }]);
  });

  it('E88 holds limits of depth, count, file size and total size', async () => {
    mkdirSync(join(tree, 'a/b/c'), { recursive: true });
    writeFileSync(join(tree, 'one'), '12345');
    writeFileSync(join(tree, 'two'), '12345');
    expect(await explain({ maxDepth: 2 })).toEqual(['a/b/ is deeper than 2 folders']);
    expect(await explain({ maxEntries: 2 })).toEqual([' there are more than 2 files and folders']);
    expect((await explain({ maxFileBytes: 4 }))[0]).toMatch(/^one has 5 bytes, more than the 4/);
    expect(await explain({ maxTotalBytes: 9 })).toEqual([
      'two takes the files over 9 bytes together',
    ]);
  });
});
