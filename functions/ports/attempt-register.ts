import type { AttemptOutcome } from '../../schemas/attempt-outcome.ts';
import type { Assignment, StoredRequest } from '../../schemas/executor-request.ts';
import type { ExecutorKind } from '../../schemas/registry.ts';
import type { RunMessage } from '../../schemas/run-message.ts';

/** What was decided for an attempt before it began; immutable. */
export interface PreparedAttempt {
  attemptId: string;
  runId: string;
  board: string;
  nodeId: string;
  kind: ExecutorKind;
  /** Executor id in the pinned registry of the plan. */
  executor: string;
  /** Fargate: the environment version's name. */
  environment: string | null;
  planSha256: string;
  request: StoredRequest;
  requestSha256: string;
  assignment: Assignment;
  preparedAt: string;
  hardDeadline: string;
  /** All attempts that run in one execution with it, the one that names that execution first; absent when it runs alone. */
  group?: readonly string[];
}

/** The register of one attempt: what has happened to it, outside the run's log. Absent until somebody needs it. */
export interface AttemptState {
  attemptId: string;
  runId: string;
  board: string;
  kind: ExecutorKind;
  hardDeadline: string;
  launchedAt: string | null;
  workflowToken: string | null;
  taskArn: string | null;
  claimedAt: string | null;
  nonceSha256: string | null;
  /** Set by the first heartbeat: the claim can no longer be repeated. */
  heartbeatAt: string | null;
  leaseUntil: string | null;
  returnedAt: string | null;
  bodySha256: string | null;
  /** Keys under which the stored response and record lie in the artifact store. */
  responseSha256: string | null;
  recordSha256: string | null;
  /** When it was fenced, and why; from then on nothing of it is taken. */
  fencedAt: string | null;
  fenceCause: string | null;
  outcome: AttemptOutcome | null;
}

export type ClaimAnswer =
  'CLAIMED' | 'REPEATED' | 'ALREADY_CLAIMED' | 'FENCED' | 'ENDED' | 'UNKNOWN';
export type ReturnAnswer = 'RETURNED' | 'REPEATED' | 'TOKEN_USED' | 'FENCED' | 'ENDED' | 'UNKNOWN';

export interface LiveAttempt {
  attemptId: string;
  runId: string;
  hardDeadline: string;
}

/** An attempt as the workflow that works on it names it. */
export interface AttemptName {
  attemptId: string;
  runId: string;
  board: string;
}

/** Attempts of one run that are worked on together. */
export interface AttemptGroup {
  attemptIds: readonly string[];
  runId: string;
  board: string;
}

/** An outcome with the message that carries it. */
export interface Settlement {
  attempt: PreparedAttempt;
  outcome: AttemptOutcome;
  message: RunMessage;
}

/** All that decides whether an attempt may be worked on. */
export interface AttemptWork {
  prepared: PreparedAttempt | undefined;
  state: AttemptState | undefined;
  /** A stop order stands for the run of that name on that board (E59). */
  stopped: boolean;
}

/**
 * Attempts by id. Every write of an attempt's register is conditional; a terminal attempt is never changed (p2). Reads
 * are strongly consistent.
 */
export interface AttemptRegister {
  /**
   * Stores what was prepared, in no order. What is prepared under an id is the same for ever (the log holds its digest),
   * so that storing it again changes nothing.
   */
  prepare(attempts: readonly PreparedAttempt[]): Promise<void>;
  /** Everything that work on the attempt needs, in one reading. */
  readWork(attempt: AttemptName): Promise<AttemptWork>;
  /** The same of at most `limits.groupAttempts` attempts of one run, in their order, in one reading. */
  readGroupWork(group: AttemptGroup): Promise<AttemptWork[]>;
  readPrepared(attemptId: string): Promise<PreparedAttempt | undefined>;
  read(attemptId: string): Promise<AttemptState | undefined>;
  /** Fargate: the intent, before RunTask. The newest workflow token is kept. */
  launch(
    attempt: PreparedAttempt,
    workflowToken: string,
    at: string,
  ): Promise<'LAUNCHED' | 'FENCED' | 'ENDED'>;
  recordTask(attemptId: string, taskArn: string): Promise<void>;
  claim(
    attemptId: string,
    claim: { nonceSha256: string; at: string; leaseUntil: string },
  ): Promise<ClaimAnswer>;
  /** Extends the lease; answers the state after it, or undefined when nothing of this id was claimed. */
  beat(
    attemptId: string,
    beat: { at: string; leaseUntil: string },
  ): Promise<AttemptState | undefined>;
  /** Takes the one return of an attempt: by it the attempt token is used up (E47). REPEATED for the same body. */
  recordReturn(
    attemptId: string,
    returned: { bodySha256: string; responseSha256: string; recordSha256: string; at: string },
  ): Promise<ReturnAnswer>;
  /** Idempotent; creates the register when there is none. Answers the state after it. */
  fence(attempt: PreparedAttempt, cause: string, at: string): Promise<AttemptState>;
  /** Sets the outcome, once, and puts the message that carries it, in one transaction. */
  settle(settlement: Settlement): Promise<'SET' | 'ALREADY_SET'>;
  /**
   * Sets at most `limits.groupAttempts` outcomes and puts their messages, all in one transaction. REFUSED: nothing was
   * written, or it is not known; each of them is then settled by itself.
   */
  settleGroup(settlements: readonly Settlement[]): Promise<'SET' | 'REFUSED'>;
  /** Launched attempts without an outcome, by hard deadline, over all shards. */
  listLive(): Promise<LiveAttempt[]>;
}
