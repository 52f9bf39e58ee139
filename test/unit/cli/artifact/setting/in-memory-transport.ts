import { createHash } from 'node:crypto';
import { ArtifactFailure } from '../../../../../cli/artifact/artifact-failure.ts';
import type {
  ArtifactTransport,
  UploadDeclaration,
} from '../../../../../cli/artifact/artifact-transport.ts';

/** A record as it stands in a store's answer: a test may spoil any field. */
export type Row = Record<string, unknown> & { id: number; task_id: string };

export function digest(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function makeRow(
  filename: string,
  bytes: string,
  changes: Record<string, unknown> = {},
): Row {
  return {
    id: 41,
    task_id: 't_1',
    filename,
    content_type: 'text/plain',
    size: Buffer.byteLength(bytes),
    sha256: digest(bytes),
    uploaded_by: 'coordinator',
    created_at: 1_760_000_000,
    stored_path: '/worker/only/41',
    ...changes,
  };
}

export interface InMemoryTransport extends ArtifactTransport {
  rows: Row[];
  blobs: Map<number, Uint8Array>;
  calls: string[];
  declared: UploadDeclaration[];
  store(filename: string, bytes: string, changes?: Record<string, unknown>): Row;
  /** Changes what the next answers say. */
  spoil: {
    answer?: (row: Row) => unknown;
    listing?: (rows: Row[]) => unknown;
    chunks?: (bytes: Uint8Array) => Uint8Array[];
    beforeEnd?: () => Promise<void>;
  };
}

/** A store in memory that speaks the transport's language, and lies when it is told to (A71). */
export function createInMemoryTransport(): InMemoryTransport {
  const rows: Row[] = [];
  const blobs = new Map<number, Uint8Array>();
  const calls: string[] = [];
  const declared: UploadDeclaration[] = [];
  const spoil: InMemoryTransport['spoil'] = {};
  const encode = (value: unknown) =>
    value instanceof Uint8Array ? value : Buffer.from(JSON.stringify(value));
  const store = (filename: string, bytes: string, changes: Record<string, unknown> = {}) => {
    const row = makeRow(filename, bytes, { id: 41 + rows.length, ...changes });
    rows.push(row);
    blobs.set(row.id, Buffer.from(bytes));
    return row;
  };
  return {
    rows,
    blobs,
    calls,
    declared,
    spoil,
    store,
    upload: async (declaration, bytes) => {
      calls.push('upload');
      declared.push(declaration);
      const chunks: Uint8Array[] = [];
      for await (const chunk of bytes) chunks.push(Buffer.from(chunk));
      const all = Buffer.concat(chunks);
      if (all.length !== declaration.size || digest(all) !== declaration.sha256)
        throw new ArtifactFailure('artifact_integrity_failed');
      const { taskId, filename, mediaType } = declaration;
      const row = makeRow(filename, '', {
        id: 41 + rows.length,
        task_id: taskId,
        content_type: mediaType,
        size: all.length,
        sha256: digest(all),
      });
      rows.push(row);
      blobs.set(row.id, all);
      return encode(spoil.answer === undefined ? row : spoil.answer(row));
    },
    list: async (_board, taskId) => {
      calls.push('list');
      const own = rows.filter((row) => row.task_id === taskId);
      return await Promise.resolve(encode(spoil.listing === undefined ? own : spoil.listing(own)));
    },
    download: async ({ attachmentId }, output, stop) => {
      calls.push('download');
      const bytes = blobs.get(attachmentId);
      if (bytes === undefined) throw new ArtifactFailure('artifact_not_found');
      for (const chunk of spoil.chunks?.(bytes) ?? [bytes]) {
        stop.throwIfAborted();
        await output(chunk);
      }
      await spoil.beforeEnd?.();
    },
  };
}
