import { describe, expect, it } from 'vitest';
import { digestBytes } from '../../../schemas/digest.ts';
import { limits } from '../../../schemas/limits.ts';
import type { InMemoryArtifactStore } from '../../../functions/adapters/in-memory/in-memory-artifact-store.ts';
import { resolveRunInputs } from '../../../functions/use-cases/run/resolve-run-inputs.ts';
import type { RunInputs } from '../../../schemas/public-api.ts';
import { createStartScenario } from './start-scenario.ts';

async function listFaults(store: InMemoryArtifactStore, inputs: RunInputs) {
  const resolved = await resolveRunInputs(store, 'harbour', inputs);
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
    expect(await resolveRunInputs(ports.artifacts, 'harbour', inputs)).toEqual({
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
    const newest = await resolveRunInputs(ports.artifacts, 'harbour', { doc: { key } });
    expect(newest).toMatchObject({ inputs: { doc: { sha256: digestBytes('new') } } });
    const named = {
      doc: { key, version_id: old.versionId, filename: 'b.md', media_type: 'text/markdown' },
    };
    expect(await resolveRunInputs(ports.artifacts, 'harbour', named)).toMatchObject({
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
    expect(await resolveRunInputs(store, 'harbour', { doc: { key } })).toMatchObject({
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
      await listFaults(ports.artifacts, {
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
      const resolved = await resolveRunInputs(ports.artifacts, 'harbour', { doc: { key } });
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
    expect(await listFaults(ports.artifacts, { docs: files })).toEqual([]);
    let looks = 0;
    ports.table.interruption = () => {
      looks += 1;
    };
    expect(await listFaults(ports.artifacts, { docs: [...files, { key }] })).toEqual([
      'OVER_LIMIT /inputs',
    ]);
    expect(looks).toBe(0);
  });
});
