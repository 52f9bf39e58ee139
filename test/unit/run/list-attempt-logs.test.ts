import { beforeEach, describe, expect, it } from 'vitest';
import { InMemoryArtifactStore } from '../../../functions/adapters/in-memory/in-memory-artifact-store.ts';
import { InMemoryTable } from '../../../functions/adapters/in-memory/in-memory-table.ts';
import type { DocumentStore } from '../../../functions/ports/artifact-store.ts';
import { listAttemptLogs } from '../../../functions/use-cases/run/list-attempt-logs.ts';
import { digestBytes } from '../../../schemas/digest.ts';

const attempt = 'att_01JQ5T8Z9Q6X4V2N7M3K1H0GFE';
const at = '2026-03-01T10:00:00.000Z';
let artifacts: InMemoryArtifactStore;

beforeEach(() => {
  artifacts = new InMemoryArtifactStore(new InMemoryTable());
});

/** The logs of an attempt whose one command said this on standard error. */
async function listLogs(said: string, isStored = true) {
  const bytes = Buffer.from(said);
  const sha256 = digestBytes(bytes);
  if (isStored) await artifacts.put(`attempts/${attempt}/sha256/${sha256}`, bytes, 'text/plain');
  const record = {
    schema_version: 1,
    attempt_id: attempt,
    producer: 'courier',
    environment_version: 'documents-v1@1.0.0',
    inputs_verified: true,
    commands: [
      {
        command_id: 'TERM_INDEX',
        exit_code: 1,
        signal: null,
        timed_out: false,
        exceeded_limits: [],
        stdout: { sha256: digestBytes(''), size: 0, truncated: false },
        stderr: { sha256, size: bytes.length, truncated: false },
        started_at: at,
        finished_at: at,
        cpu_milliseconds: 1,
        max_rss_bytes: 1,
      },
    ],
    outputs: [],
    violations: [],
    sandbox: null,
    started_at: at,
    finished_at: at,
  };
  const documents: DocumentStore = {
    put: () => Promise.reject(new Error('nothing is written')),
    read: () => Promise.resolve(JSON.stringify({ schema_version: 1, record, verdicts: [] })),
  };
  return listAttemptLogs({ documents, artifacts }, attempt, 'a'.repeat(64));
}

describe('the logs of an attempt', () => {
  it('E90 tell what a command said, on one line, with a link to its bytes', async () => {
    const [log, ...others] = await listLogs('texts.0:\u001b[31m is not\nJSON\n');
    expect(others).toEqual([]);
    expect(log).toMatchObject({
      command_id: 'TERM_INDEX',
      stream: 'stderr',
      head: 'texts.0: [31m is not JSON',
    });
    expect(log?.url).toContain(attempt);
  });

  it('E36 do not tell a text that holds a secret', async () => {
    const [log] = await listLogs('key AKIAIOSFODNN7EXAMPLE is refused');
    expect(log).toMatchObject({ head: null });
  });

  it('tell no more than a line of a long one', async () => {
    expect((await listLogs('x'.repeat(10_000)))[0]?.head).toHaveLength(500);
    expect((await listLogs('x'.repeat(70_000)))[0]?.head).toBeNull();
  });

  it('are none of an attempt without a record, or whose bytes were never stored', async () => {
    expect(await listLogs('gone', false)).toEqual([]);
    const documents = { read: () => Promise.reject(new Error('not read')) };
    const stores = { artifacts, documents: documents as unknown as DocumentStore };
    expect(await listAttemptLogs(stores, attempt, null)).toEqual([]);
  });
});
