import { describe, expect, it } from 'vitest';
import { digestBytes } from '../../../schemas/digest.ts';
import { limits } from '../../../schemas/limits.ts';
import {
  renderArtifactReference,
  type ArtifactReference,
} from '../../../schemas/parse-artifact-reference.ts';
import {
  resolveRunInputs,
  type RunInputSources,
} from '../../../functions/use-cases/run/resolve-run-inputs.ts';
import type { RunInputs } from '../../../schemas/public-api.ts';
import { createStartScenario } from './start-scenario.ts';

async function listFaults(sources: RunInputSources, inputs: RunInputs) {
  const resolved = await resolveRunInputs(sources, 'harbour', inputs);
  return resolved.kind === 'REFUSED'
    ? resolved.faults.map(({ code, path }) => `${code} ${path}`)
    : [];
}

describe('resolveRunInputs', () => {
  it('E51 pins each file to its version and the digest of its stored bytes', async () => {
    const { ports, upload } = await createStartScenario();
    const first = upload('a.txt', 'one');
    const listed = [upload('b.txt', 'two'), upload('c.txt', 'three')];
    const inputs = { doc: { key: first.key }, docs: listed.map(({ key }) => ({ key })) };
    expect(await resolveRunInputs(ports, 'harbour', inputs)).toEqual({
      kind: 'RESOLVED',
      inputs: {
        doc: {
          key: first.key,
          versionId: first.versionId,
          sha256: digestBytes('one'),
          size: 3,
          mediaType: 'text/plain',
          filename: 'a.txt',
        },
        docs: [
          expect.objectContaining({ sha256: digestBytes('two'), filename: 'b.txt' }),
          expect.objectContaining({ sha256: digestBytes('three'), filename: 'c.txt' }),
        ],
      },
    });
  });

  it('E51 takes the newest version, or the one that is named', async () => {
    const { ports } = await createStartScenario();
    const key = 'uploads/harbour/x/a.txt';
    const old = ports.artifacts.place(key, Buffer.from('old'), 'text/plain');
    ports.artifacts.place(key, Buffer.from('new'), 'text/plain');
    const newest = await resolveRunInputs(ports, 'harbour', { doc: { key } });
    expect(newest).toMatchObject({ inputs: { doc: { sha256: digestBytes('new') } } });
    const named = {
      doc: { key, version_id: old.versionId, filename: 'b.md', media_type: 'text/markdown' },
    };
    expect(await resolveRunInputs(ports, 'harbour', named)).toMatchObject({
      inputs: { doc: { sha256: digestBytes('old'), filename: 'b.md', mediaType: 'text/markdown' } },
    });
  });

  it('E16 hashes the bytes itself where the store has no digest of them', async () => {
    const { ports } = await createStartScenario();
    const key = 'uploads/harbour/x/a.txt';
    ports.artifacts.place(key, Buffer.from('bytes'), 'text/plain');
    const store = ports.artifacts;
    const { versionId } = store.place(key, Buffer.from('bytes'), 'text/plain');
    const unhashed = { versionId, size: 5, sha256: null, mediaType: 'text/plain' };
    Object.assign(store, { find: () => Promise.resolve(unhashed) });
    expect(await resolveRunInputs(ports, 'harbour', { doc: { key } })).toMatchObject({
      inputs: { doc: { sha256: digestBytes('bytes') } },
    });
  });

  it('names every fault at once, each with its place', async () => {
    const { ports, upload } = await createStartScenario();
    const big = upload('big.bin', 'x'.repeat(limits.attachmentBytes + 1));
    const odd = ports.artifacts.place('uploads/harbour/x/.hidden', Buffer.from('x'), 'text/plain');
    const foreign = upload('theirs.txt', 'secret', 'quay');
    expect(odd.versionId).not.toBe('');
    expect(
      await listFaults(ports, {
        gone: { key: 'uploads/harbour/nothing' },
        other: { key: foreign.key },
        many: [
          { key: upload('good.txt').key },
          { key: big.key },
          { key: 'uploads/harbour/x/.hidden' },
        ],
      }),
    ).toEqual([
      'INPUT_MISSING /inputs/gone',
      'INPUT_OF_OTHER_BOARD /inputs/other',
      'OVER_LIMIT /inputs/many/1',
      'INPUT_INVALID /inputs/many/2',
    ]);
  });

  it('E20 tells nothing of a file of another board, whether it exists or not', async () => {
    const { ports, upload } = await createStartScenario();
    const theirs = upload('theirs.txt', 'secret', 'quay').key;
    const faults = async (key: string) => {
      const resolved = await resolveRunInputs(ports, 'harbour', { doc: { key } });
      return resolved.kind === 'REFUSED'
        ? resolved.faults.map(({ path, code, message, fix }) => ({ path, code, message, fix }))
        : [];
    };
    expect(await faults(theirs)).toEqual(await faults('uploads/quay/nothing'));
    expect(await faults('uploads/harbour-2/x')).toEqual(await faults(theirs));
  });

  it('takes runInputFiles files and refuses one more without a single look', async () => {
    const { ports, upload } = await createStartScenario();
    const { key } = upload('a.txt');
    const files = Array.from({ length: limits.runInputFiles }, () => ({ key }));
    expect(await listFaults(ports, { docs: files })).toEqual([]);
    let looks = 0;
    ports.table.interruption = () => {
      looks += 1;
    };
    expect(await listFaults(ports, { docs: [...files, { key }] })).toEqual(['OVER_LIMIT /inputs']);
    expect(looks).toBe(0);
  });

  describe('of attachments', () => {
    async function attach(text = 'words') {
      const { ports } = await createStartScenario();
      const sha256 = digestBytes(text);
      const key = `attachments/harbour/t_brief/${sha256}`;
      const { versionId } = ports.artifacts.place(key, Buffer.from(text), 'text/plain');
      const { attachment } = await ports.attachments.register('upload', {
        board: 'harbour',
        taskId: 't_brief',
        filename: 'brief.docx',
        mediaType: 'application/x-brief',
        size: text.length,
        sha256,
        key,
        versionId,
        uploadedBy: 'arn:ana',
        createdAtSeconds: 1_760_000_000,
        attemptId: null,
      });
      const name = (changes: Partial<ArtifactReference> = {}) =>
        renderArtifactReference({ ...attachment, ...changes });
      return { ports, attachment, name };
    }

    it('E51 A11 pins a reference to the version and digest that were registered', async () => {
      const { ports, attachment, name } = await attach();
      const { key, versionId, sha256 } = attachment;
      ports.artifacts.place(key, Buffer.from('written over it'), 'text/plain');
      const pinned = {
        key,
        versionId,
        sha256,
        size: 5,
        mediaType: 'application/x-brief',
        filename: 'brief.docx',
      };
      const inputs = { doc: name(), docs: [name(), name()] };
      expect(await resolveRunInputs(ports, 'harbour', inputs)).toEqual({
        kind: 'RESOLVED',
        inputs: { doc: pinned, docs: [pinned, pinned] },
      });
    });

    it('A9 A12 A58 names every reference that cannot be taken, each with its place', async () => {
      const { ports, name } = await attach();
      expect(
        await listFaults(ports, {
          other: name({ board: 'quay' }),
          task: name({ taskId: 't_other' }),
          gone: name({ attachmentId: 99 }),
          stale: [name(), name({ sha256: digestBytes('earlier') })],
        }),
      ).toEqual([
        'INPUT_OF_OTHER_BOARD /inputs/other',
        'INPUT_MISSING /inputs/task',
        'INPUT_MISSING /inputs/gone',
        'INPUT_REVISION_DIFFERS /inputs/stale/1',
      ]);
    });

    it('p32 refuses an attachment whose stored bytes are others or gone', async () => {
      const { ports, attachment, name } = await attach();
      const record = ports.table.attachments[0]!.attachment;
      const other = ports.artifacts.place(attachment.key, Buffer.from('other'));
      Object.assign(record, { versionId: other.versionId });
      expect(await listFaults(ports, { doc: name() })).toEqual([
        'INPUT_REVISION_DIFFERS /inputs/doc',
      ]);
      Object.assign(record, { versionId: 'gone' });
      expect(await listFaults(ports, { doc: name() })).toEqual(['INPUT_MISSING /inputs/doc']);
    });

    it('refuses one whose name no plan can hold: its run could not be read again', async () => {
      const { ports, name } = await attach();
      const record = ports.table.attachments[0]!.attachment;
      const refused = async (filename: string) => {
        record.filename = filename;
        return listFaults(ports, { doc: name() });
      };
      expect(await refused('x'.repeat(255))).toEqual([]);
      expect(await refused('x'.repeat(256))).toEqual(['INPUT_INVALID /inputs/doc']);
    });

    it('A17 refuses one above attachmentBytes', async () => {
      const { ports, name } = await attach('x'.repeat(limits.attachmentBytes + 1));
      expect(await listFaults(ports, { doc: name() })).toEqual(['OVER_LIMIT /inputs/doc']);
    });
  });
});
