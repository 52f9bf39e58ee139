import { crc32, inflateRawSync } from 'node:zlib';
import { FunctionFailure } from '../function-failure.ts';
import { functionLimits } from '../function-limits.ts';
import { checkXml } from './check-xml.ts';
import { readZipDirectory, type ZipEntry } from './read-zip-directory.ts';

/** The XML parts of a DOCX or PPTX, each inflated within the limits and checked before anything parses it. */
export interface OfficePackage {
  /** Names of all XML and relationship parts, sorted. */
  xmlNames: string[];
  has(name: string): boolean;
  /** Throws `INPUT_INVALID` or `LIMIT_EXCEEDED`; the name is one that `has` confirms. */
  readXml(name: string): string;
}

const headerSignature = 0x04034b50;
const headerBytes = 30;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Throws `INPUT_INVALID` or `LIMIT_EXCEEDED` for what is no sound office package. */
export function openOfficePackage(bytes: Uint8Array): OfficePackage {
  const entries = new Map(readZipDirectory(bytes).map((entry) => [entry.name, entry]));
  if (!entries.has('[Content_Types].xml')) {
    throw new FunctionFailure(
      'INPUT_INVALID',
      'the document cannot be opened: it is a ZIP archive, but no office document',
    );
  }
  const texts = new Map<string, string>();
  let left: number = functionLimits.packageBytes;
  return {
    xmlNames: [...entries.keys()].filter((name) => /\.(xml|rels)$/i.test(name)).sort(),
    has: (name) => entries.has(name),
    readXml(name) {
      const known = texts.get(name);
      if (known !== undefined) return known;
      const entry = entries.get(name);
      if (entry === undefined) throw damaged(name, 'is missing');
      const part = inflate(bytes, entry, Math.min(left, functionLimits.partBytes));
      left -= part.length;
      const text = decode(name, part);
      checkXml(name, text);
      texts.set(name, text);
      return text;
    },
  };
}

function inflate(bytes: Uint8Array, entry: ZipEntry, maxBytes: number): Uint8Array {
  const data = sliceData(bytes, entry);
  if (entry.inflatedBytes > maxBytes) throw tooLarge(entry.name);
  const part = entry.method === 0 ? data : inflateWithin(data, entry, maxBytes);
  if (part.length !== entry.inflatedBytes || crc32(part) !== entry.crc32) {
    throw damaged(entry.name, 'does not have the size and checksum that its directory states');
  }
  return part;
}

/** The stated size is a claim: inflation itself stops at the limit. */
function inflateWithin(data: Uint8Array, entry: ZipEntry, maxBytes: number): Uint8Array {
  if (entry.method !== 8) throw damaged(entry.name, 'is packed by an unknown method');
  try {
    return inflateRawSync(data, { maxOutputLength: Math.max(1, maxBytes) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw tooLarge(entry.name);
    throw damaged(entry.name, 'cannot be inflated', error);
  }
}

function sliceData(bytes: Uint8Array, entry: ZipEntry): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = entry.headerOffset;
  if (at + headerBytes > bytes.length || view.getUint32(at, true) !== headerSignature) {
    throw damaged(entry.name, 'is not where its directory says');
  }
  const nameEnd = at + headerBytes + view.getUint16(at + 26, true);
  const start = nameEnd + view.getUint16(at + 28, true);
  // Two names for one part would let two readers see two documents.
  const name = Buffer.from(bytes.subarray(at + headerBytes, nameEnd)).toString('utf8');
  if (name !== entry.name) throw damaged(entry.name, 'has another name in its own header');
  if (start + entry.compressedBytes > bytes.length) throw damaged(entry.name, 'is cut short');
  return bytes.subarray(start, start + entry.compressedBytes);
}

function decode(name: string, part: Uint8Array): string {
  try {
    return utf8.decode(part);
  } catch (error) {
    throw damaged(name, 'is not UTF-8', error);
  }
}

function damaged(name: string, fault: string, cause?: unknown): FunctionFailure {
  return new FunctionFailure(
    'INPUT_INVALID',
    `the document is damaged: its part ${name} ${fault}`,
    {
      cause,
    },
  );
}

function tooLarge(name: string): FunctionFailure {
  return new FunctionFailure(
    'LIMIT_EXCEEDED',
    `the document's part ${name} inflates beyond ${String(functionLimits.partBytes)} bytes, or all parts beyond ${String(functionLimits.packageBytes)}`,
  );
}
