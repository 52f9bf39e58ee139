import { execFileSync } from 'node:child_process';
import { lstatSync } from 'node:fs';
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { checkDestination } from '../../../../cli/artifact/destination/check-destination.ts';
import { stageFile } from '../../../../cli/artifact/destination/staged-file.ts';
import { expectCode, findCode } from './setting/expect-code.ts';
import { digest } from './setting/in-memory-transport.ts';
import { useFolder } from './setting/use-folder.ts';

const folder = useFolder();
const bytes = Buffer.from('new');

/** Stages a file with its bytes for a name in the folder. */
async function stage(name: string, overwrite = false) {
  const staged = await stageFile(await checkDestination(folder.at(name), overwrite));
  await staged.write(bytes);
  await staged.finish();
  return staged;
}

describe('a destination', () => {
  it('A38 is a free name in a folder', async () => {
    const found = await checkDestination(folder.at('a b.docx'), false);
    expect(found).toEqual({ folder: folder.path, name: 'a b.docx' });
    expect(await checkDestination('a.docx', false)).toEqual({ folder: '.', name: 'a.docx' });
    expect(await checkDestination('./../-a', false)).toEqual({ folder: './..', name: '-a' });
  });

  it('A38 is no folder, FIFO, device, missing parent, file as parent, or nothing', async () => {
    await mkdir(folder.at('dir'));
    await writeFile(folder.at('file'), '');
    execFileSync('mkfifo', [folder.at('fifo')]);
    const names = ['dir', 'fifo', 'no/a', 'file/a', 'dir/', 'new/', 'dir/.', 'dir/..'];
    for (const name of [...names, 'x'.repeat(256), ''])
      for (const overwrite of [false, true]) {
        const checked = checkDestination(`${folder.path}/${name}`, overwrite);
        await expectCode(checked, 'artifact_destination_invalid');
      }
    await expectCode(checkDestination('', false), 'artifact_destination_invalid');
    await expectCode(checkDestination('/dev/null', true), 'artifact_destination_invalid');
  });

  it('A45 is no link, dangling or not, with or without --overwrite', async () => {
    await writeFile(folder.at('file'), 'theirs');
    await symlink('file', folder.at('link'));
    await symlink('nowhere', folder.at('dangling'));
    for (const name of ['link', 'dangling'])
      for (const overwrite of [false, true]) {
        const checked = checkDestination(folder.at(name), overwrite);
        await expectCode(checked, 'artifact_destination_invalid');
      }
  });

  it('A45 has no link on its way, as the user wrote it', async () => {
    await mkdir(folder.at('real', 'sub'), { recursive: true });
    await symlink('real', folder.at('link'));
    for (const name of ['link/a', 'link/sub/a', 'link/../a', 'real/../link/a'])
      await expectCode(
        checkDestination(`${folder.path}/${name}`, false),
        'artifact_destination_invalid',
      );
    expect(await checkDestination(`${folder.path}/real/./sub/../a`, false)).toBeDefined();
  });

  it('A39 is taken by a file, unless it may be replaced', async () => {
    await writeFile(folder.at('file'), 'theirs');
    await expectCode(checkDestination(folder.at('file'), false), 'artifact_destination_exists');
    expect(await checkDestination(folder.at('file'), true)).toBeDefined();
  });
});

describe('a staged file', () => {
  it('A44 is nowhere to be seen, and read by nobody else, until it is published', async () => {
    const staged = await stage('out');
    const names = await folder.list();
    expect(names).toEqual([expect.stringMatching(/^\.windlass-[\w-]+\.part$/)]);
    expect((await stat(folder.at(names[0]!))).mode & 0o777).toBe(0o600);
    staged.publish(false);
    await staged.discard();
    expect(await folder.list()).toEqual(['out']);
    expect(await readFile(folder.at('out'))).toEqual(bytes);
    expect((await stat(folder.at('out'))).nlink).toBe(1);
  });

  it('A44 leaves nothing when it is discarded', async () => {
    await (await stage('out')).discard();
    expect(await folder.list()).toEqual([]);
  });

  it('A44 has the mode of any new file', async () => {
    await writeFile(folder.at('any'), '');
    const staged = await stage('out');
    staged.publish(false);
    await staged.discard();
    expect((await stat(folder.at('out'))).mode).toBe((await stat(folder.at('any'))).mode);
  });

  it.each([
    ['a file', async () => await writeFile(folder.at('out'), 'theirs')],
    ['a folder', async () => await mkdir(folder.at('out'))],
    ['a dangling link', async () => await symlink('nowhere', folder.at('out'))],
  ])('A47 keeps %s that came meanwhile', async (_what, come) => {
    const staged = await stage('out');
    await come();
    const before = lstatSync(folder.at('out'));
    expect(findCode(() => staged.publish(false))).toBe('artifact_destination_exists');
    await staged.discard();
    expect(await folder.list()).toEqual(['out']);
    expect(lstatSync(folder.at('out'))).toMatchObject({ ino: before.ino, size: before.size });
  });

  it('A46 replaces a file at once, keeps who may read it, and follows no hard link', async () => {
    await writeFile(folder.at('out'), 'old');
    await chmod(folder.at('out'), 0o640);
    execFileSync('ln', [folder.at('out'), folder.at('other')]);
    const staged = await stage('out', true);
    expect(await readFile(folder.at('out'), 'utf8')).toBe('old');
    staged.publish(true);
    await staged.discard();
    expect(await folder.list()).toEqual(['other', 'out']);
    expect(await readFile(folder.at('out'))).toEqual(bytes);
    expect(await readFile(folder.at('other'), 'utf8')).toBe('old');
    expect((await stat(folder.at('out'))).mode & 0o777).toBe(0o640);
  });

  it.each([
    ['a link', async () => await symlink('target', folder.at('out'))],
    ['a folder', async () => await mkdir(folder.at('out'))],
  ])('A45 A46 does not replace %s that came meanwhile', async (_what, come) => {
    await writeFile(folder.at('target'), 'theirs');
    const staged = await stage('out', true);
    await come();
    expect(findCode(() => staged.publish(true))).toBe('artifact_destination_invalid');
    await staged.discard();
    expect(await folder.list()).toEqual(['out', 'target']);
    expect(await readFile(folder.at('target'), 'utf8')).toBe('theirs');
  });

  it.each([false, true])(
    'A44 stays whole when somebody takes its first name after it was published, overwrite %s',
    async (overwrite) => {
      const staged = await stage('a', overwrite);
      const [temporary = ''] = await readdir(folder.path);
      staged.publish(overwrite);
      await mkdir(folder.at(temporary));
      await staged.discard();
      expect(await readFile(folder.at('a'))).toEqual(bytes);
    },
  );

  it('A44 leaves nothing when its folder is removed', async () => {
    await mkdir(folder.at('sub'));
    const staged = await stage('sub/out');
    await rm(folder.at('sub'), { recursive: true });
    expect(findCode(() => staged.publish(false))).toBe('artifact_destination_invalid');
    await staged.discard();
    expect(await folder.list()).toEqual([]);
  });

  it('A45 goes nowhere when its folder is moved and a link takes the place', async () => {
    await mkdir(folder.at('sub'));
    await mkdir(folder.at('trap'));
    const staged = await stage('sub/out');
    await rename(folder.at('sub'), folder.at('moved'));
    await symlink('trap', folder.at('sub'));
    expect(findCode(() => staged.publish(false))).toBe('artifact_destination_invalid');
    await staged.discard();
    expect(
      execFileSync('find', ['.'], { cwd: folder.path, encoding: 'utf8' }).split('\n').sort(),
    ).toEqual(['', '.', './moved', './sub', './trap']);
    expect(await readlink(folder.at('sub'))).toBe('trap');
  });

  it.each([false, true])(
    'A51 is not published when another file has its name (overwrite %j)',
    async (overwrite) => {
      const staged = await stage('out', overwrite);
      const [name = ''] = await folder.list();
      await rm(folder.at(name));
      await writeFile(folder.at(name), 'other');
      expect(findCode(() => staged.publish(overwrite))).toBe('artifact_destination_invalid');
      await staged.discard();
      expect(await folder.list()).toEqual([]);
    },
  );

  it('A26 tells what the file holds, whoever wrote it', async () => {
    const staged = await stage('out');
    const [name = ''] = await folder.list();
    await writeFile(folder.at(name), 'NEW', { flag: 'r+' });
    expect(await staged.finish()).toEqual({ size: 3, sha256: digest('NEW') });
    await staged.discard();
  });

  it('A38 cannot be made where nothing can be made', async () => {
    const staging = checkDestination('/proc/out', false).then(
      async (found) => await stageFile(found),
    );
    await expectCode(staging, 'artifact_destination_invalid');
  });
});
