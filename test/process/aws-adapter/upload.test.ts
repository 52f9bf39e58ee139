import { readdirSync, readlinkSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { digestBytes } from '../../../schemas/digest.ts';
import { limits } from '../../../schemas/limits.ts';
import { composeUpload } from '../../support/aws-adapter/start-aws-adapter.ts';
import { waitUntil } from '../../unit/cli/artifact/setting/wait-until.ts';
import { task, useAwsAdapter } from './use-aws-adapter.ts';

const adapter = useAwsAdapter();
const bytes = Buffer.from('exactly these bytes');
const file = { name: 'brief.txt', bytes };

/** Whether a process has a file of the folder open that has no name there any more. */
function holdsNamelessFile(pid: number, folder: string): boolean {
  const opened = `/proc/${String(pid)}/fd`;
  return readdirSync(opened).some((descriptor) => {
    const target = readTarget(path.join(opened, descriptor));
    return target.startsWith(folder) && target.endsWith(' (deleted)');
  });
}

/** Empty when the descriptor was closed meanwhile. */
function readTarget(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}

describe('windlass-aws artifact-upload', () => {
  it('A52 A55 sends the bytes of its input and prints one record', async () => {
    const ran = await adapter.upload(file);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(ran.stdout.toString())).toEqual({
      id: 1,
      task_id: 't_brief',
      filename: 'brief.txt',
      content_type: 'text/plain',
      size: bytes.length,
      sha256: digestBytes(bytes),
      uploaded_by: expect.any(String) as string,
      created_at: 1_770_000_000,
    });
    expect([...adapter.api.state.objects.values()].map((stored) => stored.bytes)).toEqual([bytes]);
  });

  it.each([
    ['POST /boards/demo/tasks/t_brief/uploads', 'its place'],
    ['PUT /store/', 'its bytes'],
    ['POST /boards/demo/tasks/t_brief/attachments', 'its registration'],
  ])('P4 makes one attachment when the answer to %s is lost', async (call) => {
    adapter.api.disturb(call, { kind: 'LOSE' });
    expect(await adapter.upload(file)).toMatchObject({ code: 0 });
    expect(adapter.api.calls.filter((each) => each.startsWith(call))).toHaveLength(2);
    expect(adapter.api.state.attachments).toHaveLength(1);
    expect(adapter.api.state.objects.size).toBe(1);
  });

  it('P4 makes one attachment of two commands under one WINDLASS_UPLOAD_KEY, and two without', async () => {
    const env = { WINDLASS_UPLOAD_KEY: 'nightly' };
    const first = await adapter.upload(file, env);
    expect((await adapter.upload(file, env)).stdout.equals(first.stdout)).toBe(true);
    await adapter.upload(file);
    await adapter.upload(file);
    expect((await adapter.list()).map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  it('A59 ends with 2 for a WINDLASS_UPLOAD_KEY that is none, before it sends anything', async () => {
    const ran = await adapter.upload(file, { WINDLASS_UPLOAD_KEY: 'two words' });
    expect(ran).toMatchObject({
      code: 2,
      stderr: 'windlass-aws: USAGE: run `windlass-aws --help`\n',
    });
    expect(adapter.api.calls).toEqual([]);
  });

  it('A17 A59 ends with 4 for a file that is declared or sent above the cap, and sends nothing', async () => {
    const large = Buffer.alloc(limits.attachmentBytes + 1);
    const declared = await adapter.upload({ ...file, size: large.length });
    const sent = await adapter.run(composeUpload(...task, file), large);
    for (const ran of [declared, sent]) {
      expect(ran).toEqual({
        code: 4,
        stdout: Buffer.alloc(0),
        stderr: 'windlass-aws: TOO_LARGE\n',
      });
    }
    expect(adapter.api.calls).toEqual([]);
    const whole = { name: 'whole.bin', bytes: large.subarray(1) };
    expect(await adapter.upload(whole)).toMatchObject({ code: 0 });
  });

  it.each([
    ['fewer bytes', bytes.subarray(1)],
    ['more bytes', Buffer.concat([bytes, Buffer.from('!')])],
    ['other bytes', Buffer.from('exactly other bytes')],
    ['no bytes', Buffer.alloc(0)],
  ])('A57 A59 ends with 5 for %s than declared, and sends nothing', async (_, input) => {
    const ran = await adapter.run(composeUpload(...task, file), input);
    expect(ran).toEqual({
      code: 5,
      stdout: Buffer.alloc(0),
      stderr: 'windlass-aws: BYTES_DIFFER\n',
    });
    expect(adapter.api.calls).toEqual([]);
  });

  it('A60 leaves nothing of its input on this machine, however it ends', async () => {
    await adapter.upload(file);
    await adapter.upload({ ...file, sha256: 'a'.repeat(64) });
    const { child, ended } = adapter.start(composeUpload(...task, file));
    child.stdin?.write(bytes.subarray(0, 5));
    // The input stays open, so that the adapter can only be waiting for the rest of it.
    await waitUntil('the input is spooled', () => holdsNamelessFile(child.pid!, adapter.folder));
    child.kill('SIGKILL');
    expect((await ended).code).toBeNull();
    expect(await readdir(adapter.folder)).toEqual([]);
  });

  it('A58 A59 ends with 3 for a board or a task that is not there', async () => {
    for (const [board, of] of [
      ['demo', 't_other'],
      ['other', 't_brief'],
      ['Demo', 't_brief'],
      ['demo', '..'],
    ] as const) {
      const ran = await adapter.run(composeUpload(board, of, file), bytes);
      expect(ran, `${board} ${of}`).toMatchObject({ code: 3, stdout: Buffer.alloc(0) });
    }
    expect(adapter.api.state.attachments).toEqual([]);
  });
});
