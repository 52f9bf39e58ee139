import { describe, expect, it } from 'vitest';
import { task, useAwsAdapter } from './use-aws-adapter.ts';

const adapter = useAwsAdapter();
const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, place) => place % 251));
const file = { name: 'large.bin', mediaType: 'application/octet-stream', bytes };
const download = (id: number | string = 1) =>
  adapter.run(['artifact-download', ...task, String(id)]);
const meddle = (stored: Buffer) => {
  for (const object of adapter.api.state.objects.values()) object.bytes = stored;
};

describe('windlass-aws artifact-download', () => {
  it('A54 prints the exact bytes and nothing else', async () => {
    await adapter.attach(file);
    const ran = await download();
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout.equals(bytes)).toBe(true);
  });

  it('A54 goes on where a broken transfer stopped, and repeats no byte', async () => {
    await adapter.attach(file);
    adapter.api.disturb('GET /store/', { kind: 'CUT_AFTER', bytes: 100_000 }, 2);
    adapter.api.disturb('GET /store/', { kind: 'CUT' });
    const ran = await download();
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout.equals(bytes)).toBe(true);
    expect(adapter.api.calls.filter((call) => call.startsWith('GET /store/'))).toHaveLength(4);
  });

  it('A54 asks for a fresh link when one has expired', async () => {
    await adapter.attach(file);
    const expired = { status: 403, body: { planted: 'Request has expired' } };
    adapter.api.disturb('GET /store/', { kind: 'ANSWER', answer: expired });
    expect(await download()).toMatchObject({ code: 0 });
    const asked = adapter.api.calls.filter((call) => call.endsWith('/attachments/1'));
    expect(asked).toHaveLength(2);
  });

  it('A59 ends with 1 when the store stays broken', async () => {
    await adapter.attach(file);
    adapter.api.disturb('GET /store/', { kind: 'CUT' }, 9);
    expect(await download()).toEqual({
      code: 1,
      stdout: Buffer.alloc(0),
      stderr: expect.stringMatching(/^windlass-aws: UNREACHABLE: no answer; [^\n]+\n$/) as string,
    });
  });

  it.each([
    ['other bytes', Buffer.alloc(bytes.length)],
    ['fewer bytes', bytes.subarray(1)],
    ['more bytes', Buffer.concat([bytes, Buffer.from('!')])],
  ])('p32 A59 ends with 5 when the store gives %s', async (_, stored) => {
    await adapter.attach(file);
    meddle(stored);
    const ran = await download();
    expect(ran).toMatchObject({ code: 5, stderr: 'windlass-aws: BYTES_DIFFER\n' });
    expect(ran.stdout.length).toBeLessThanOrEqual(bytes.length);
  });

  it('A59 ends with its verdict, and not with the connection that is still sending', async () => {
    await adapter.attach(file);
    meddle(Buffer.concat([bytes, Buffer.alloc(2)]));
    adapter.api.disturb('GET /store/', { kind: 'HOLD_AFTER', bytes: bytes.length + 1 });
    expect(await download()).toMatchObject({ code: 5, stderr: 'windlass-aws: BYTES_DIFFER\n' });
  });

  it('p32 A59 ends with 5 when the stored bytes are gone', async () => {
    await adapter.attach(file);
    adapter.api.state.objects.clear();
    expect(await download()).toMatchObject({ code: 5, stderr: 'windlass-aws: BYTES_GONE\n' });
  });

  it.each([2, '0', '01', '-1', '1e0', '9007199254740993', 'x'])(
    'A58 A59 ends with 3 for the attachment %s',
    async (id) => {
      await adapter.attach(file);
      const ran = await adapter.run(['artifact-download', ...task, '--', String(id)]);
      expect(ran).toMatchObject({ code: 3, stderr: 'windlass-aws: ATTACHMENT_UNKNOWN\n' });
    },
  );

  it('A58 A59 ends with 3 for an attachment of another task', async () => {
    adapter.api.state.tasks.set('demo/t_other', 'Other');
    await adapter.attach(file);
    const ran = await adapter.run(['artifact-download', 'demo', 't_other', '1']);
    expect(ran).toMatchObject({ code: 3, stdout: Buffer.alloc(0) });
  });

  it('A59 ends with 1 and no trace when its reader goes away', async () => {
    await adapter.attach(file);
    const { child, ended } = adapter.start(['artifact-download', ...task, '1'], Buffer.alloc(0));
    child.stdout?.destroy();
    expect(await ended).toMatchObject({ code: 1, stderr: 'windlass-aws: INTERNAL\n' });
  });
});
