import { describe, expect, it } from 'vitest';
import { digestBytes } from '../../../schemas/digest.ts';
import { prepareAttachment } from '../../../functions/use-cases/attachment/prepare-attachment.ts';
import { caller, createAttachmentScenario, docx } from './attachment-scenario.ts';

describe('an upload to a task', () => {
  it('A57 registers what is stored, under an id of its own, and only once it is there', async () => {
    const { ports, task, send, register } = await createAttachmentScenario();
    expect(await register('key', 'bytes')).toEqual({ kind: 'NOT_STORED' });
    const { versionId } = send('key', 'bytes');
    expect(await register('key', 'bytes')).toEqual({
      kind: 'REGISTERED',
      attachment: {
        ...task,
        attachmentId: 1,
        filename: 'brief.docx',
        mediaType: docx,
        size: 5,
        sha256: digestBytes('bytes'),
        key: expect.stringContaining('attachments/harbour/t_brief/') as string,
        versionId,
        uploadedBy: caller,
        createdAtSeconds: Math.floor(ports.clock.now().getTime() / 1_000),
        attemptId: null,
      },
    });
  });

  it('A57 registers nothing when the stored bytes are others than were declared', async () => {
    const { ports, task, send, register } = await createAttachmentScenario();
    send('key', 'declared', 'something else');
    expect(await register('key', 'declared')).toEqual({
      kind: 'BYTES_DIFFER',
      stored: { sha256: digestBytes('something else'), size: 14 },
    });
    expect(await ports.attachments.list(task, { after: 0, limit: 9 })).toEqual([]);
  });

  it('P4 answers a repetition with the first attachment, without another look at the bytes', async () => {
    const { ports, send, register } = await createAttachmentScenario();
    send('key', 'bytes');
    const first = await register('key', 'bytes');
    const operations: string[] = [];
    ports.table.interruption = (operation) => void operations.push(operation);
    const again = await register('key', 'bytes');
    expect(again).toEqual({ ...first, kind: 'REPLAYED' });
    expect(operations.filter((each) => each.startsWith('artifacts'))).toEqual([]);
  });

  it('P4 makes one attachment when the answer to its registration was lost', async () => {
    const { ports, task, send, register } = await createAttachmentScenario();
    send('key', 'bytes');
    ports.table.interruption = (operation, moment) => {
      if (operation !== 'attachments.register' || moment !== 'after') return;
      ports.table.interruption = undefined;
      throw new Error('the answer was lost');
    };
    await expect(register('key', 'bytes')).rejects.toThrow('lost');
    expect(await register('key', 'bytes')).toMatchObject({ kind: 'REPLAYED' });
    expect(await ports.attachments.list(task, { after: 0, limit: 9 })).toHaveLength(1);
  });

  it('A13 makes a new attachment of the same name and bytes under a new key', async () => {
    const { send, register } = await createAttachmentScenario();
    send('key', 'bytes');
    send('other key', 'bytes');
    const answers = [await register('key', 'bytes'), await register('other key', 'bytes')];
    expect(answers).toMatchObject([
      { kind: 'REGISTERED', attachment: { attachmentId: 1 } },
      { kind: 'REGISTERED', attachment: { attachmentId: 2 } },
    ]);
  });

  it.each([
    ['another name', 'bytes', 'other.docx'],
    ['other bytes', 'others', 'brief.docx'],
  ])('p3 refuses %s under a key that was used', async (_, text, filename) => {
    const { send, register } = await createAttachmentScenario();
    send('key', 'bytes');
    await register('key', 'bytes');
    send('key', text);
    expect(await register('key', text, filename)).toMatchObject({
      kind: 'BODY_DIFFERS',
      attachment: { attachmentId: 1 },
    });
  });

  it('A58 finds nothing under the same key of another task', async () => {
    const { send, register, ports, nameKey, describeFile } = await createAttachmentScenario();
    send('key', 'bytes');
    await register('key', 'bytes');
    const other = { ...nameKey('key'), taskId: 't_other' };
    const prepared = await prepareAttachment(ports.artifacts, other, describeFile('bytes'));
    expect(prepared.url).toContain('attachments/harbour/t_other/');
  });

  it('P4 sends no bytes twice: with them stored, no URL is made', async () => {
    const { send, ports, nameKey, describeFile } = await createAttachmentScenario();
    const prepare = () => prepareAttachment(ports.artifacts, nameKey('key'), describeFile('bytes'));
    const first = await prepare();
    expect(first.headers['if-none-match']).toBe('*');
    expect(first.url).toContain(digestBytes('bytes'));
    send('key', 'bytes');
    expect(await prepare()).toEqual({ url: null, headers: {} });
  });
});
