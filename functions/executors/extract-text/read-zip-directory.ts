import { FunctionFailure } from '../function-failure.ts';
import { functionLimits } from '../function-limits.ts';

export interface ZipEntry {
  name: string;
  /** 0 stored, 8 deflated. */
  method: number;
  crc32: number;
  compressedBytes: number;
  inflatedBytes: number;
  headerOffset: number;
}

// Signatures and field offsets: PKWARE APPNOTE 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16.
const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const endBytes = 22;
const entryBytes = 46;
const longestCommentBytes = 0xffff;
const oleSignature = 0xe011cfd0;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The entries of a ZIP by its central directory. Throws `INPUT_INVALID` for what is damaged, encrypted, split or names a
 * path outside the archive, `LIMIT_EXCEEDED` for too many entries. Inflates nothing.
 */
export function readZipDirectory(bytes: Uint8Array): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length >= 4 && view.getUint32(0, true) === oleSignature) {
    throw invalid(
      'it is encrypted or in an old binary format; save it without a password as DOCX or PPTX',
    );
  }
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  const isSplit = view.getUint16(end + 4, true) !== 0 || view.getUint16(end + 8, true) !== count;
  if (isSplit || count === 0xffff) throw invalid('it is a split or ZIP64 archive');
  if (count > functionLimits.packageEntries) {
    throw new FunctionFailure(
      'LIMIT_EXCEEDED',
      `the document has ${String(count)} parts; at most ${String(functionLimits.packageEntries)} are read`,
    );
  }
  const entries: ZipEntry[] = [];
  const names = new Set<string>();
  let offset = view.getUint32(end + 16, true);
  for (let index = 0; index < count; index += 1) {
    if (offset + entryBytes > end || view.getUint32(offset, true) !== entrySignature) {
      throw invalid('its directory is damaged');
    }
    const { entry, next } = readEntry(bytes, view, offset);
    if (names.has(entry.name.toLowerCase())) throw invalid(`it has two parts named ${entry.name}`);
    names.add(entry.name.toLowerCase());
    entries.push(entry);
    offset = next;
  }
  return entries;
}

function findEnd(view: DataView): number {
  const last = view.byteLength - endBytes;
  for (let at = last; at >= 0 && at >= last - longestCommentBytes; at -= 1) {
    const isEnd = view.getUint32(at, true) === endSignature;
    if (isEnd && at + endBytes + view.getUint16(at + 20, true) === view.byteLength) return at;
  }
  throw invalid('it is not a ZIP archive, or it is cut short');
}

function readEntry(
  bytes: Uint8Array,
  view: DataView,
  at: number,
): { entry: ZipEntry; next: number } {
  const nameEnd = at + entryBytes + view.getUint16(at + 28, true);
  const next = nameEnd + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  if (next > bytes.length) throw invalid('its directory is damaged');
  const name = readName(bytes.subarray(at + entryBytes, nameEnd));
  const isEncrypted = (view.getUint16(at + 8, true) & 1) !== 0;
  if (isEncrypted) throw invalid(`its part ${name} is encrypted; save it without a password`);
  const isLink = ((view.getUint32(at + 38, true) >>> 16) & 0xf000) === 0xa000;
  if (isLink) throw invalid(`its part ${name} is a link`);
  return {
    entry: {
      name,
      method: view.getUint16(at + 10, true),
      crc32: view.getUint32(at + 16, true),
      compressedBytes: view.getUint32(at + 20, true),
      inflatedBytes: view.getUint32(at + 24, true),
      headerOffset: view.getUint32(at + 42, true),
    },
    next,
  };
}

/** Office writes plain names; one that climbs or hides is an attack on whoever unpacks the file. */
function readName(bytes: Uint8Array): string {
  let name: string;
  try {
    name = utf8.decode(bytes);
  } catch (error) {
    throw invalid('it has a part whose name is not UTF-8', error);
  }
  const path = name.endsWith('/') ? name.slice(0, -1) : name;
  const isPlain = path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
  if (!isPlain || /[\p{Cc}\\:]/u.test(name))
    throw invalid(`its part name "${name}" is not allowed`);
  return name;
}

function invalid(reason: string, cause?: unknown): FunctionFailure {
  return new FunctionFailure('INPUT_INVALID', `the document cannot be opened: ${reason}`, {
    cause,
  });
}
