import { createHash } from 'node:crypto';

/** A file as it is declared to an adapter, and the bytes that are really sent. */
export interface ProbeFile {
  name: string;
  mediaType: string;
  size: number;
  sha256: string;
  bytes: Buffer;
}

const blockBytes = 65_536;

/** Every byte value, line ends of all kinds, and no line end at the end: what a text mode somewhere would change. */
export const trickyBytes = Buffer.concat([
  Buffer.from('\ufeffline\r\nline\nline\r\0\u001a', 'utf8'),
  Buffer.from(Array.from({ length: 256 }, (_, value) => value)),
  Buffer.from([0xc3, 0x28, 0xff, 0xfe]),
]);

/** Bytes that no compressor shortens and that are the same each time. */
export function inventBytes(size: number): Buffer {
  const blocks: Buffer[] = [];
  for (let made = 0; made < size; made += 32)
    blocks.push(createHash('sha256').update(String(made)).digest());
  return Buffer.concat(blocks).subarray(0, size);
}

export function hashBytes(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The bytes in pieces, as a pipe takes them. */
export async function* sendBytes(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += blockBytes) {
    yield await Promise.resolve(bytes.subarray(at, at + blockBytes));
  }
}
