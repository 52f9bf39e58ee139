import { describe, expect, it } from 'vitest';
import { digestBytes, digestToBase64 } from '../../../schemas/digest.ts';
import { limits } from '../../../schemas/limits.ts';
import { prepareUploadAnswer, prepareUploadBody } from '../../../schemas/public-api.ts';
import { createInMemoryPorts } from '../../../functions/adapters/in-memory/create-in-memory-ports.ts';
import { prepareUpload } from '../../../functions/use-cases/upload/prepare-upload.ts';

const bytes = Buffer.from('words');
const sha256 = digestBytes(bytes);
const file = { filename: 'words.txt', media_type: 'text/plain', size: bytes.length, sha256 };
const key = `uploads/harbour/sha256/${sha256}/words.txt`;

describe('prepareUpload', () => {
  it('p31 gives a URL that takes exactly the bytes, under their digest', async () => {
    const { artifacts } = createInMemoryPorts();
    const answer = prepareUploadAnswer.parse(await prepareUpload(artifacts, 'harbour', file));
    expect(answer).toMatchObject({ key, version_id: null });
    expect(answer.url).toContain('expires=900');
    expect(answer.headers).toEqual({
      'content-length': '5',
      'content-type': 'text/plain',
      'if-none-match': '*',
      'x-amz-checksum-sha256': digestToBase64(sha256),
    });
    expect(artifacts.objects.size).toBe(0);
  });

  it('p31 asks for no bytes that are there already', async () => {
    const { artifacts } = createInMemoryPorts();
    const { versionId } = artifacts.place(key, bytes, 'text/plain');
    expect(await prepareUpload(artifacts, 'harbour', file)).toEqual({
      key,
      url: null,
      headers: {},
      version_id: versionId,
    });
  });

  it('p32 does not trust a name: other bytes under it are asked for anew', async () => {
    const { artifacts } = createInMemoryPorts();
    artifacts.place(key, Buffer.from('forged'), 'text/plain');
    expect((await prepareUpload(artifacts, 'harbour', file)).url).not.toBeNull();
  });

  it('E20 shares nothing between boards', async () => {
    const { artifacts } = createInMemoryPorts();
    artifacts.place(key, bytes, 'text/plain');
    expect((await prepareUpload(artifacts, 'quay', file)).url).not.toBeNull();
  });

  it.each([
    ['a path', { filename: '../words.txt' }],
    ['a hidden name', { filename: '.words' }],
    ['too many bytes', { size: limits.attachmentBytes + 1 }],
    ['a digest that is none', { sha256: 'abc' }],
    ['an unknown field', { acl: 'public' }],
  ])('A30 takes no file with %s', (_name, changes) => {
    expect(prepareUploadBody.safeParse({ ...file, ...changes }).success).toBe(false);
    expect(prepareUploadBody.safeParse(file).success).toBe(true);
  });

  it.each(['../x', 'a\\b', 'a\u0000', 'a\u009b2J', 'a\u202etxt.exe', 'a\ud800', '.a', '-a', ''])(
    'refuses the file name %j, and takes letters of any script',
    (filename) => {
      expect(prepareUploadBody.safeParse({ ...file, filename }).success).toBe(false);
      const other = { ...file, filename: 'Übersicht 🌊 عربي.txt' };
      expect(prepareUploadBody.safeParse(other).success).toBe(true);
    },
  );
});
