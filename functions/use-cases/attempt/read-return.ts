import { attemptRecord, type AttemptRecord } from '../../../schemas/attempt-record.ts';
import type { FunctionAnswer } from '../../../schemas/function-answer.ts';
import type { DocumentStore } from '../../ports/artifact-store.ts';
import type { AttemptState } from '../../ports/attempt-register.ts';

/** What came back of an attempt, with the controller's own times around it. */
export interface AttemptReturn {
  response: unknown;
  record: AttemptRecord;
  /** Null for a function, which claims nothing. */
  claimedAt: string | null;
  returnedAt: string;
}

/** The return of a courier, as its submission stored it; undefined when there was none. */
export async function readSubmittedReturn(
  documents: DocumentStore,
  state: AttemptState | undefined,
): Promise<AttemptReturn | undefined> {
  if (state === undefined) return undefined;
  const { returnedAt, claimedAt, responseSha256, recordSha256 } = state;
  if (returnedAt === null || responseSha256 === null || recordSha256 === null) return undefined;
  return {
    ...(await readDocuments(documents, responseSha256, recordSha256)),
    claimedAt,
    returnedAt,
  };
}

/** The return of a function: its record is the controller's, and so are the times in it. */
export async function readFunctionReturn(
  documents: DocumentStore,
  answer: Extract<FunctionAnswer, { kind: 'RETURNED' | 'STORED' }>,
): Promise<AttemptReturn> {
  const { response, record } =
    answer.kind === 'RETURNED'
      ? answer
      : await readDocuments(documents, answer.responseSha256, answer.recordSha256);
  return { response, record, claimedAt: null, returnedAt: record.finished_at };
}

async function readDocuments(
  documents: DocumentStore,
  responseSha256: string,
  recordSha256: string,
): Promise<{ response: unknown; record: AttemptRecord }> {
  return {
    response: JSON.parse(await documents.read('responses', responseSha256)) as unknown,
    record: attemptRecord.parse(JSON.parse(await documents.read('records', recordSha256))),
  };
}
