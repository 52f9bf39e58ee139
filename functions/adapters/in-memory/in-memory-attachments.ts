import type { TaskAddress } from '../../../schemas/task-address.ts';
import type { Attachment, Attachments } from '../../ports/attachments.ts';
import type { InMemoryTable } from './in-memory-table.ts';

export class InMemoryAttachments implements Attachments {
  readonly #table: InMemoryTable;

  constructor(table: InMemoryTable) {
    this.#table = table;
  }

  register(
    uploadId: string,
    attachment: Omit<Attachment, 'attachmentId'>,
  ): Promise<{ kind: 'REGISTERED' | 'REPLAYED'; attachment: Attachment }> {
    return this.#table.perform('attachments.register', () => {
      const earlier = this.#findUpload(attachment, uploadId);
      if (earlier !== undefined) return { kind: 'REPLAYED', attachment: earlier };
      const given = this.#table.attachments.filter(
        (row) => row.attachment.board === attachment.board && row.uploadId !== null,
      );
      const registered = { ...attachment, attachmentId: given.length + 1 };
      this.#table.attachments.push({ uploadId, attachment: registered });
      return { kind: 'REGISTERED', attachment: registered };
    });
  }

  attach(attachments: readonly Attachment[]): Promise<void> {
    return this.#table.perform('attachments.attach', () => {
      for (const attachment of attachments) {
        if (this.#listOf(attachment).some((each) => each.attachmentId === attachment.attachmentId))
          continue;
        this.#table.attachments.push({ uploadId: null, attachment: structuredClone(attachment) });
      }
    });
  }

  findUpload(task: TaskAddress, uploadId: string): Promise<Attachment | undefined> {
    return this.#table.perform('attachments.findUpload', () => this.#findUpload(task, uploadId));
  }

  find(task: TaskAddress, attachmentId: number): Promise<Attachment | undefined> {
    return this.#table.perform('attachments.find', () =>
      this.#listOf(task).find((each) => each.attachmentId === attachmentId),
    );
  }

  list(
    task: TaskAddress,
    { after, limit }: { after: number; limit: number },
  ): Promise<Attachment[]> {
    return this.#table.perform('attachments.list', () =>
      this.#listOf(task)
        .filter(({ attachmentId }) => attachmentId > after)
        .slice(0, limit),
    );
  }

  #findUpload(task: TaskAddress, uploadId: string): Attachment | undefined {
    return this.#rowsOf(task).find((row) => row.uploadId === uploadId)?.attachment;
  }

  #listOf(task: TaskAddress): Attachment[] {
    return this.#rowsOf(task)
      .map(({ attachment }) => attachment)
      .sort((left, right) => left.attachmentId - right.attachmentId);
  }

  #rowsOf({ board, taskId }: TaskAddress) {
    return this.#table.attachments.filter(
      ({ attachment }) => attachment.board === board && attachment.taskId === taskId,
    );
  }
}
