import { describe, expect, it } from 'vitest';
import { deriveAttachmentId } from '../../schemas/ids.ts';
import { digestBytes } from '../../schemas/digest.ts';
import type { Attachment, Attachments } from '../../functions/ports/attachments.ts';
import { newAttemptId, newBoard } from './examples.ts';

type Unnumbered = Omit<Attachment, 'attachmentId'>;
const describeAttachment = (changes: Partial<Unnumbered> = {}): Unnumbered => ({
  board: newBoard(),
  taskId: 't_1',
  filename: 'Entwurf 1.docx',
  mediaType: 'application/pdf',
  size: 3,
  sha256: digestBytes('one'),
  key: 'attachments/somewhere',
  versionId: 'v1',
  uploadedBy: 'arn:aws:iam::000000000000:user/ana',
  createdAtSeconds: 1_760_000_000,
  attemptId: null,
  ...changes,
});

/** What all attachments do, whatever keeps them. */
export function describeAttachmentsContract(
  name: string,
  create: () => Promise<{ attachments: Attachments; loseNextAnswer: () => void }>,
): void {
  describe(`${name} as attachments`, () => {
    it('A8 keeps a record as it was registered, under an id of its own', async () => {
      const { attachments } = await create();
      const given = describeAttachment();
      const made = describeAttachment({ board: given.board, attemptId: newAttemptId() });
      const first = await attachments.register('first', given);
      const second = await attachments.register('second', made);
      expect(first).toMatchObject({ kind: 'REGISTERED', attachment: given });
      expect(await attachments.find(given, first.attachment.attachmentId)).toEqual(
        first.attachment,
      );
      expect(await attachments.find(made, second.attachment.attachmentId)).toEqual({
        ...made,
        attachmentId: second.attachment.attachmentId,
      });
      expect(second.attachment.attachmentId).toBeGreaterThan(first.attachment.attachmentId);
      expect(await attachments.findUpload(given, 'first')).toEqual(first.attachment);
      expect(await attachments.findUpload(given, 'third')).toBeUndefined();
    });

    it('A13 gives the same name and bytes another id when they are uploaded again', async () => {
      const { attachments } = await create();
      const given = describeAttachment();
      const answers = [
        await attachments.register('first', given),
        await attachments.register('second', given),
      ];
      expect(answers.map(({ kind }) => kind)).toEqual(['REGISTERED', 'REGISTERED']);
      const listed = await attachments.list(given, { after: 0, limit: 9 });
      expect(listed).toEqual(answers.map(({ attachment }) => attachment));
    });

    it('P4 makes one attachment of twenty registrations of one upload at once', async () => {
      const { attachments } = await create();
      const given = describeAttachment();
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => attachments.register('upload', given)),
      );
      expect(answers.filter(({ kind }) => kind === 'REGISTERED')).toHaveLength(1);
      expect(new Set(answers.map(({ attachment }) => attachment.attachmentId)).size).toBe(1);
      expect(await attachments.list(given, { after: 0, limit: 9 })).toHaveLength(1);
    });

    it('P4 makes one attachment when the answer to its registration is lost', async () => {
      const { attachments, loseNextAnswer } = await create();
      const given = describeAttachment();
      loseNextAnswer();
      const first = await attachments.register('upload', given).catch(() => undefined);
      const again = await attachments.register('upload', given);
      expect(again.kind).toBe('REPLAYED');
      if (first !== undefined) expect(first.attachment).toEqual(again.attachment);
      expect(await attachments.list(given, { after: 0, limit: 9 })).toEqual([again.attachment]);
    });

    it('gives thirty uploads at once thirty ids of a board', async () => {
      const { attachments } = await create();
      const board = newBoard();
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, place) =>
          attachments.register(
            'upload',
            describeAttachment({ board, taskId: `t_${String(place)}` }),
          ),
        ),
      );
      const ids = new Set(answers.map(({ attachment }) => attachment.attachmentId));
      expect(ids.size).toBe(30);
      expect(Math.min(...ids)).toBeGreaterThanOrEqual(1);
    });

    it('A58 shows nothing of another task or another board', async () => {
      const { attachments } = await create();
      const given = describeAttachment();
      const { attachment } = await attachments.register('upload', given);
      const others = [
        { board: given.board, taskId: 't_2' },
        { board: newBoard(), taskId: 't_1' },
      ];
      for (const other of others) {
        expect(await attachments.find(other, attachment.attachmentId)).toBeUndefined();
        expect(await attachments.findUpload(other, 'upload')).toBeUndefined();
        expect(await attachments.list(other, { after: 0, limit: 9 })).toEqual([]);
      }
    });

    it('lists in the order of ids, a page at a time', async () => {
      const { attachments } = await create();
      const given = describeAttachment();
      const ids: number[] = [];
      for (let place = 0; place < 12; place += 1) {
        const { attachment } = await attachments.register(`upload ${String(place)}`, given);
        ids.push(attachment.attachmentId);
      }
      const first = await attachments.list(given, { after: 0, limit: 10 });
      const rest = await attachments.list(given, { after: ids[9] ?? 0, limit: 10 });
      expect([...first, ...rest].map(({ attachmentId }) => attachmentId)).toEqual(ids);
      expect(rest).toHaveLength(2);
    });

    it('P4 attaches under a derived id once, in the order of ids and after what was uploaded', async () => {
      const { attachments } = await create();
      const uploaded = describeAttachment();
      const attemptId = newAttemptId();
      const made = ['page', 'index'].map((output) => ({
        ...describeAttachment({ board: uploaded.board, attemptId, filename: output }),
        attachmentId: deriveAttachmentId(attemptId, { output, filename: output }),
      }));
      await attachments.attach(made);
      await attachments.attach(made);
      const { attachment } = await attachments.register('upload', uploaded);
      const listed = await attachments.list(uploaded, { after: 0, limit: 9 });
      const byId = made.toSorted((left, right) => left.attachmentId - right.attachmentId);
      expect(listed).toEqual([attachment, ...byId]);
      expect(await attachments.find(uploaded, made[0]!.attachmentId)).toEqual(made[0]);
      for (const { attachmentId } of made) expect(attachmentId).toBeLessThan(2 ** 53);
    });
  });
}
