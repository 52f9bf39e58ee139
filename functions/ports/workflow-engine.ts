import type { ExecutorKind } from '../../schemas/registry.ts';

export type ExecutionStatus = 'RUNNING' | 'ENDED' | 'MISSING';

/** The execution of one generation of a run. */
export interface RunExecution {
  status: ExecutionStatus;
  /** Null for one that is missing. */
  startedAt: Date | null;
  /** The word of whoever ended it; empty when there is none. */
  cause: string;
}

/** What drives runs and attempts. Names make every start idempotent: "already exists" is success. */
export interface WorkflowEngine {
  startRun(run: { runId: string; board: string; generation: number }): Promise<void>;
  startAttempt(attempt: {
    attemptId: string;
    kind: ExecutorKind;
    runId: string;
    board: string;
    nodeId: string;
    /** Becomes the workflow's own time-out, when it has one. */
    timeoutSeconds?: number;
  }): Promise<void>;
  /** Starts the one execution in which quick functions run together, named by the first attempt of their group. */
  startGroup(group: {
    group: string;
    attemptIds: readonly string[];
    runId: string;
    board: string;
  }): Promise<void>;
  /** Starts the workflow that closes an attempt; `occasion` tells one closing from a later one (p11). */
  startClose(attempt: { attemptId: string; occasion: string; cause: string }): Promise<void>;
  /** Ends the attempt's own execution, if it runs. */
  stopAttempt(attempt: { attemptId: string; kind: ExecutorKind; cause: string }): Promise<void>;
  /** Ends the execution of a group, if it runs. */
  stopGroup(group: { group: string; cause: string }): Promise<void>;
  describeRun(runId: string, generation: number): Promise<RunExecution>;
  /** Ends the run's own execution of this generation, if it runs. */
  stopRun(run: { runId: string; generation: number; cause: string }): Promise<void>;
  describeAttempt(attemptId: string, kind: ExecutorKind): Promise<ExecutionStatus>;
  describeGroup(group: string): Promise<ExecutionStatus>;
  /** GONE: somebody else answered it, or it timed out; both are as good. */
  answerToken(token: string, output: Record<string, unknown>): Promise<'ANSWERED' | 'GONE'>;
  failToken(token: string, error: string, cause: string): Promise<'ANSWERED' | 'GONE'>;
}
