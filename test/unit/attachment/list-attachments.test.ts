import { describe, expect, it } from 'vitest';
import { digestBytes } from '../../../schemas/digest.ts';
import { limits } from '../../../schemas/limits.ts';
import { attachmentList } from '../../../schemas/task-api.ts';
import { linkAttachment } from '../../../functions/use-cases/attachment/link-attachment.ts';
import { listAttachments } from '../../../functions/use-cases/attachment/list-attachments.ts';
import { createAttachmentScenario } from './attachment-scenario.ts';

type Scenario = Awaited<ReturnType<typeof createAttachmentScenario>>;

async function attach(scenario: Scenario, key: string, text: string) {
  scenario.send(key, text);
  const answer = await scenario.register(key, text);
  if (answer.kind !== 'REGISTERED') throw new Error(answer.kind);
  return answer.attachment;
}

describe('a listing of attachments', () => {
  it('A8 tells all of each, in the order of their ids', async () => {
    const scenario = await createAttachmentScenario();
    await attach(scenario, 'first', 'one');
    await attach(scenario, 'second', 'three');
    const listed = await listAttachments(scenario.ports, scenario.task, 0);
    expect(attachmentList.parse(listed)).toEqual(listed);
    expect(listed.next).toBeNull();
    expect(listed.attachments).toMatchObject([
      {
        reference: `kanban-artifact:v1:harbour:t_brief:1:${digestBytes('one')}`,
        attachment_id: 1,
        size: 3,
        direction: 'INPUT',
        attempt_id: null,
      },
      { attachment_id: 2, sha256: digestBytes('three') },
    ]);
  });

  it('A57 tells the digest of the bytes that are stored, whatever the record says', async () => {
    const scenario = await createAttachmentScenario();
    const { key } = await attach(scenario, 'first', 'one');
    const [row] = scenario.ports.table.attachments;
    const forged = scenario.ports.artifacts.place(key, Buffer.from('forged'));
    Object.assign(row!.attachment, { versionId: forged.versionId });
    const { attachments } = await listAttachments(scenario.ports, scenario.task, 0);
    expect(attachments).toMatchObject([{ sha256: digestBytes('forged'), size: 6 }]);
    expect(attachments[0]?.reference).toContain(digestBytes('forged'));
  });

  it('p30 tells the version that was registered when somebody wrote another one over it', async () => {
    const scenario = await createAttachmentScenario();
    const { key } = await attach(scenario, 'first', 'one');
    scenario.ports.artifacts.place(key, Buffer.from('over'));
    const { attachments } = await listAttachments(scenario.ports, scenario.task, 0);
    expect(attachments).toMatchObject([{ sha256: digestBytes('one') }]);
  });

  it('p32 names an attachment whose bytes are gone, without a digest or a reference', async () => {
    const scenario = await createAttachmentScenario();
    await attach(scenario, 'first', 'one');
    await attach(scenario, 'second', 'two');
    scenario.ports.artifacts.objects.delete(scenario.ports.table.attachments[0]!.attachment.key);
    const { attachments } = await listAttachments(scenario.ports, scenario.task, 0);
    expect(attachments).toMatchObject([
      { attachment_id: 1, sha256: null, reference: null },
      { attachment_id: 2, sha256: digestBytes('two') },
    ]);
  });

  it('ends a page before it has read more than attachmentPageBytes, and goes on after it', async () => {
    const scenario = await createAttachmentScenario();
    const half = limits.attachmentPageBytes / 2;
    for (const key of ['a', 'b', 'c']) {
      const { attachmentId } = await attach(scenario, key, key);
      Object.assign(scenario.ports.table.attachments[attachmentId - 1]!.attachment, { size: half });
    }
    const first = await listAttachments(scenario.ports, scenario.task, 0);
    expect(first).toMatchObject({
      attachments: [{ attachment_id: 1 }, { attachment_id: 2 }],
      next: 2,
    });
    const second = await listAttachments(scenario.ports, scenario.task, 2);
    expect(second).toMatchObject({ attachments: [{ attachment_id: 3 }], next: null });
  });

  it('ends a page after attachmentPageRecords', async () => {
    const scenario = await createAttachmentScenario();
    for (let place = 0; place <= limits.attachmentPageRecords; place += 1) {
      await attach(scenario, `key ${String(place)}`, 'x');
    }
    const first = await listAttachments(scenario.ports, scenario.task, 0);
    expect(first.attachments).toHaveLength(limits.attachmentPageRecords);
    expect(first.next).toBe(limits.attachmentPageRecords);
    const rest = await listAttachments(scenario.ports, scenario.task, first.next ?? 0);
    expect(rest.attachments).toHaveLength(1);
  });

  it('A12 links to exactly the registered version', async () => {
    const scenario = await createAttachmentScenario();
    const attachment = await attach(scenario, 'first', 'one');
    scenario.ports.artifacts.place(attachment.key, Buffer.from('newer'));
    const linked = await linkAttachment(scenario.ports.artifacts, attachment);
    expect(new URL(linked.url).searchParams.get('versionId')).toBe(attachment.versionId);
    expect(linked.sha256).toBe(digestBytes('one'));
  });
});
