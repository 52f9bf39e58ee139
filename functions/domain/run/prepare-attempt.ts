import type { Assignment, StoredRequest } from '../../../schemas/executor-request.ts';
import type { ExecutorKind } from '../../../schemas/registry.ts';

/** What is decided for an attempt before it begins; the attempt register keeps it. */
export interface PreparedWork {
  attemptId: string;
  runId: string;
  board: string;
  nodeId: string;
  kind: ExecutorKind;
  executor: string;
  /** Fargate: the environment's name. */
  environment: string | null;
  planSha256: string;
  request: StoredRequest;
  requestSha256: string;
  assignment: Assignment;
  preparedAt: string;
  hardDeadline: string;
}
