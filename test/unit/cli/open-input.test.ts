import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '../../../cli/api/connect.ts';
import { findInputFiles } from '../../../cli/inputs/find-input-files.ts';
import { describeInputFault, withInput } from '../../../cli/inputs/open-input.ts';
import { uploadInputs } from '../../../cli/inputs/upload-inputs.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'windlass-input-'));
  file = path.join(folder, 'brief.txt');
  await writeFile(file, 'words');
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

function makeFifo(): void {
  expect(spawnSync('mkfifo', [file]).status).toBe(0);
}

const replacements: [string, () => Promise<void> | void, string][] = [
  ['vanished', () => undefined, 'is not there (ENOENT)'],
  ['became a folder', () => mkdir(file).then(() => undefined), 'is not a file, but a folder'],
  ['became a FIFO', makeFifo, 'is not a file'],
];

describe('an input', () => {
  it.each(replacements)('that %s ends with 2, its path and a fix', async (_case, replace, what) => {
    await rm(file);
    await replace();
    const opened = withInput({ input: 'brief', path: file }, () => Promise.resolve('opened'));
    await expect(opened).rejects.toMatchObject({
      exit: 2,
      message: `--input brief=${file}: ${what}`,
      fix: expect.stringMatching(/^(name|use) /) as string,
    });
  });

  it.each(replacements)(
    'that %s between check and upload ends with 2 before anything is asked',
    async (_case, replace, what) => {
      const found = await findInputFiles(new Map([['brief', [file]]]), new Map());
      await rm(file);
      await replace();
      const stored = uploadInputs(
        {
          connection: {} as Connection,
          board: 'demo',
          found,
          lists: new Set(),
          signal: new AbortController().signal,
        },
        () => undefined,
      );
      await expect(stored).rejects.toMatchObject({
        exit: 2,
        message: `--input brief=${file}: ${what}`,
      });
    },
  );

  it('that may not be read is refused when it is measured', async () => {
    await chmod(folder, 0o755);
    await chmod(file, 0);
    const user = process.geteuid?.();
    // Root may read everything; the names of users do not matter to the kernel.
    if (user === 0) process.seteuid?.(65_534);
    try {
      const found = findInputFiles(new Map([['brief', [file]]]), new Map());
      await expect(found).rejects.toMatchObject({
        exit: 2,
        message: `--input brief=${file}: may not be read (EACCES)`,
      });
    } finally {
      if (user === 0) process.seteuid?.(0);
    }
  });

  it('is read from its first byte each time, though its name has gone', async () => {
    const texts: string[] = [];
    await withInput({ input: 'brief', path: file }, async (opened) => {
      await rename(file, `${file}.old`);
      for (const reading of [opened.read(), opened.read()]) {
        const chunks: Buffer[] = [];
        for await (const chunk of reading) chunks.push(chunk);
        texts.push(Buffer.concat(chunks).toString('utf8'));
      }
    });
    expect(texts).toEqual(['words', 'words']);
  });

  it.each([
    ['EACCES', 'may not be read (EACCES)', /^let this user read/],
    ['EPERM', 'may not be read (EPERM)', /^let this user read/],
    ['ENOTDIR', 'is not there (ENOTDIR)', /^name a file/],
    ['EISDIR', 'is not a file, but a folder', /^use brief=a\/\* for/],
    ['ELOOP', 'is a link that leads round in a circle (ELOOP)', /^name the file itself/],
    ['EMFILE', 'cannot be opened, as too many files are open (EMFILE)', /ulimit/],
    ['EIO', 'cannot be read (EIO)', /^name a copy/],
  ])('says of %s what it is and what to do', (code, what, fix) => {
    expect(describeInputFault({ input: 'brief', path: 'a' }, code)).toEqual({
      what,
      fix: expect.stringMatching(fix) as string,
    });
  });
});
