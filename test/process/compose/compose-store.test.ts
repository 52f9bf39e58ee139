import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StandInContainer, type Ended } from './stand-in-container.ts';

const cap = 26_214_400;
const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

interface Listed {
  id: number;
  sha256: string;
  uploaded_by: string;
}

/** The statuses of the contract, seen by whoever calls the adapter without the command before it. */
describe('windlass-compose over a store', () => {
  let container: StandInContainer;
  const bytes = randomBytes(50_000);

  const upload = async (
    sent: Buffer,
    said: { board?: string; task?: string; size?: number; sha256?: string } = {},
  ): Promise<Ended> =>
    await container.run(
      [
        'artifact-upload',
        said.board ?? 'demo',
        said.task ?? 't_1',
        '--name',
        'brief.docx',
        '--media-type',
        'application/octet-stream',
        '--size',
        String(said.size ?? sent.length),
        '--sha256',
        said.sha256 ?? hash(sent),
        '--json',
      ],
      { input: sent },
    );
  const list = async (): Promise<Listed[]> => {
    const ran = await container.run(['artifact-list', 'demo', 't_1', '--json']);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    return JSON.parse(ran.stdout.toString()) as Listed[];
  };

  beforeEach(() => {
    container = new StandInContainer();
    container.makeTask('demo', 't_1');
    container.makeTask('demo', 't_2');
    container.makeTask('other', 't_1');
  });
  afterEach(() => {
    container.remove();
  });

  it('A59 ends with 0 for bytes that go in, are listed and come back', async () => {
    const uploaded = await upload(bytes);
    expect(uploaded).toMatchObject({ code: 0, stderr: '' });
    const record = JSON.parse(uploaded.stdout.toString()) as Listed;
    expect(record).toMatchObject({ id: 1, sha256: hash(bytes), task_id: 't_1' });
    expect(await list()).toEqual([record]);
    const back = await container.run(['artifact-download', 'demo', 't_1', '1']);
    expect(back).toMatchObject({ code: 0, stderr: '' });
    expect(back.stdout.equals(bytes)).toBe(true);
  });

  it('A67 records the default identity', async () => {
    await upload(bytes);
    expect((await list())[0]?.uploaded_by).toBe('default');
  });

  it.each([
    ['an attachment that is not there', ['demo', 't_1', '2']],
    ['the same attachment of another task', ['demo', 't_2', '1']],
    ['the same attachment of another board', ['other', 't_1', '1']],
    ['a task that is not there', ['demo', 't_9', '1']],
  ])('A58 A59 ends with 3 for %s', async (_what, where) => {
    await upload(bytes);
    const ran = await container.run(['artifact-download', ...where]);
    expect(ran).toMatchObject({ code: 3 });
    expect(ran.stdout).toHaveLength(0);
  });

  it('A59 ends with 3 for an upload to and a list of a task that is not there', async () => {
    expect(await upload(bytes, { task: 't_9' })).toMatchObject({ code: 3 });
    const listed = await container.run(['artifact-list', 'demo', 't_9', '--json']);
    expect(listed).toMatchObject({ code: 3 });
  });

  it('A59 ends with 4 for more than 25 MiB, said or sent, and stores nothing', async () => {
    expect(await upload(bytes, { size: cap + 1 })).toMatchObject({ code: 4 });
    expect(await upload(Buffer.alloc(cap + 1), { size: 10 })).toMatchObject({ code: 4 });
    expect(await list()).toEqual([]);
    expect(readdirSync(join(container.store, 'demo/t_1'))).toEqual([]);
  });

  it.each([
    ['fewer bytes than said', { size: bytes.length + 1 }],
    ['more bytes than said', { size: bytes.length - 1 }],
    ['another checksum than said', { sha256: hash(Buffer.from('other')) }],
  ])('A57 A59 ends with 5 for %s, and stores nothing', async (_what, said) => {
    expect(await upload(bytes, said)).toMatchObject({ code: 5 });
    expect(await list()).toEqual([]);
    expect(readdirSync(join(container.store, 'demo/t_1'))).toEqual([]);
  });

  it('A57 lists the checksum of the stored bytes as they are', async () => {
    await upload(bytes);
    writeFileSync(join(container.store, 'demo/t_1/1/bytes'), 'damaged');
    expect((await list())[0]?.sha256).toBe(hash(Buffer.from('damaged')));
  });
});
