import type { TaskAddress } from '../../schemas/task-address.ts';
import type { Connection } from '../api/connect.ts';
import type { ListedAttachment } from '../api/task-api.ts';
import { renderRecord, type NativeRecord } from './render-record.ts';

/** Every attachment of a task, page after page, each hashed by the controller as it lies in the store (A57). */
export async function listRecords({ api }: Connection, of: TaskAddress): Promise<NativeRecord[]> {
  const found: ListedAttachment[] = [];
  let after: number | null = 0;
  while (after !== null) {
    const page: Awaited<ReturnType<typeof api.listAttachments>> = await api.listAttachments(
      of.board,
      of.taskId,
      after,
    );
    found.push(...page.attachments);
    after = page.next;
  }
  return found.map(renderRecord);
}
