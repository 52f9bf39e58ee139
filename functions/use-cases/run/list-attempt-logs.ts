import { nameAttemptPrefix } from '../../../schemas/name-attempt-prefix.ts';
import { z } from 'zod';
import { attemptRecord, type CommandRecord } from '../../../schemas/attempt-record.ts';
import { cutText } from '../../../schemas/cut-text.ts';
import { limits } from '../../../schemas/limits.ts';
import type { attemptLog } from '../../../schemas/public-api.ts';
import { findSecrets } from '../../domain/admission/find-secrets.ts';
import type { ArtifactStore, DocumentStore } from '../../ports/artifact-store.ts';

type AttemptLog = z.output<typeof attemptLog>;

/** Of a longer log the reader gets the link only. */
const headBytes = 64 * 1024;

const evaluation = z.object({ record: attemptRecord });

/**
 * What the commands of an attempt printed, by the record that was evaluated when it ended. The bytes were stored by the
 * courier under their digest (E90); of short ones the beginning is told, unless it holds a secret (E36).
 */
export async function listAttemptLogs(
  { documents, artifacts }: { documents: DocumentStore; artifacts: ArtifactStore },
  attemptId: string,
  recordSha256: string | null,
): Promise<AttemptLog[]> {
  if (recordSha256 === null) return [];
  const text = await documents.read('evaluations', recordSha256);
  const { record } = evaluation.parse(JSON.parse(text));
  const logs = await Promise.all(
    record.commands.flatMap((command) =>
      (['stdout', 'stderr'] as const).map((stream) =>
        describeLog(artifacts, attemptId, { command, stream }),
      ),
    ),
  );
  return logs.filter((log) => log !== undefined);
}

async function describeLog(
  artifacts: ArtifactStore,
  attemptId: string,
  { command, stream }: { command: CommandRecord; stream: 'stdout' | 'stderr' },
): Promise<AttemptLog | undefined> {
  const { sha256, size, truncated } = command[stream];
  if (size === 0) return undefined;
  const key = `${nameAttemptPrefix(attemptId)}${sha256}`;
  // An attempt that was cut off may have a record of what it could not store any more.
  const stored = await artifacts.find(key);
  if (stored === undefined) return undefined;
  const filename = `${attemptId}-${command.command_id.toLowerCase()}-${stream}.txt`;
  return {
    command_id: command.command_id,
    stream,
    sha256,
    size,
    truncated,
    head:
      stored.size > headBytes ? null : cutHead(await artifacts.read(key, stored.versionId, sha256)),
    url: await artifacts.presignRead(key, stored.versionId, limits.linkSeconds, filename),
  };
}

function cutHead(bytes: Uint8Array): string | null {
  const text = new TextDecoder().decode(bytes);
  if (findSecrets(text).length > 0) return null;
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return cutText(line, limits.detailCharacters);
}
