import { describe, expect, it } from 'vitest';
import { digestBytes } from '../../schemas/digest.ts';
import { ArtifactCorruptError, ArtifactMissingError } from '../../functions/ports/errors.ts';
import type { ArtifactStore, DocumentStore } from '../../functions/ports/artifact-store.ts';
import { newAttemptId } from './examples.ts';

const writers = 10;
const text = (words: string): Uint8Array => Buffer.from(words);
const newKey = (): string => `attempts/${newAttemptId()}/sha256/example`;

/** What every artifact store does, whatever keeps it. */
export function describeArtifactStoreContract(
  name: string,
  create: () => Promise<ArtifactStore>,
): void {
  describe(`${name} as an artifact store`, () => {
    it('keeps bytes under a key, with their size, digest and media type', async () => {
      const store = await create();
      const key = newKey();
      const bytes = text('größer als 5 µm');
      const stored = await store.put(key, bytes, 'text/plain');
      expect(stored).toMatchObject({
        size: bytes.byteLength,
        sha256: digestBytes(bytes),
        mediaType: 'text/plain',
      });
      expect(await store.find(key)).toEqual(stored);
      expect(await store.find(key, stored.versionId)).toEqual(stored);
      const read = await store.read(key, stored.versionId, digestBytes(bytes));
      expect(Buffer.from(read).equals(Buffer.from(bytes))).toBe(true);
      expect(await store.measure(key, stored.versionId)).toEqual({
        sha256: digestBytes(bytes),
        size: bytes.byteLength,
      });
    });

    it('keeps an object without bytes', async () => {
      const store = await create();
      const key = newKey();
      const { versionId } = await store.put(key, text(''), 'text/plain');
      expect(await store.measure(key, versionId)).toEqual({ sha256: digestBytes(''), size: 0 });
    });

    it('p30 never writes over what is there: the first stays, and the answer tells of it', async () => {
      const store = await create();
      const key = newKey();
      const first = await store.put(key, text('first'), 'text/plain');
      expect(await store.put(key, text('second, longer'), 'text/html')).toEqual(first);
      const read = await store.read(key, first.versionId, digestBytes('first'));
      expect(Buffer.from(read).toString()).toBe('first');
    });

    it('p31 lets all equal writers succeed at once, with one version', async () => {
      const store = await create();
      const key = newKey();
      const answers = await Promise.all(
        Array.from({ length: writers }, () => store.put(key, text('same'), 'text/plain')),
      );
      expect(new Set(answers.map(({ versionId }) => versionId)).size).toBe(1);
    });

    it('answers nothing for a key or a version that is not there', async () => {
      const store = await create();
      const key = newKey();
      expect(await store.find(key)).toBeUndefined();
      expect(await store.measure(key, 'none')).toBeUndefined();
      await expect(store.read(key, 'none', digestBytes(''))).rejects.toThrow(ArtifactMissingError);
      await store.put(key, text('there'), 'text/plain');
      expect(await store.find(key, 'no-such-version')).toBeUndefined();
      expect(await store.measure(key, 'no-such-version')).toBeUndefined();
    });

    it('p32 refuses bytes that do not have the digest that names them', async () => {
      const store = await create();
      const key = newKey();
      const { versionId } = await store.put(key, text('changed'), 'text/plain');
      await expect(store.read(key, versionId, digestBytes('meant'))).rejects.toThrow(
        ArtifactCorruptError,
      );
    });
  });
}

/** What every document store does, whatever keeps it. */
export function describeDocumentStoreContract(
  name: string,
  create: () => Promise<DocumentStore>,
): void {
  describe(`${name} as a document store`, () => {
    it('E16 keeps a document under the digest of its bytes, the same one as often as it is put', async () => {
      const store = await create();
      const document = `{"name":"größer","id":"${newAttemptId()}"}`;
      const digests = await Promise.all(
        Array.from({ length: writers }, () => store.put('plans', document)),
      );
      expect(new Set(digests)).toEqual(new Set([digestBytes(document)]));
      expect(await store.read('plans', digestBytes(document))).toBe(document);
    });

    it('refuses a document that is not there, also when another kind has it', async () => {
      const store = await create();
      const sha256 = await store.put('records', newAttemptId());
      await expect(store.read('responses', sha256)).rejects.toThrow(ArtifactMissingError);
    });
  });
}
