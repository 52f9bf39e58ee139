import type { Artifact } from '../../../schemas/artifact.ts';
import type { AttemptEnd, FailureReason } from '../../../schemas/attempt-outcome.ts';
import type { ExpandedNode, ExpandedPlan } from '../../../schemas/expanded-plan.ts';
import type { Amounts } from '../../../schemas/money.ts';
import type { ExecutorKind, ExecutorLevel } from '../../../schemas/registry.ts';
import type { RunEvent, RunStatus } from '../../../schemas/run-event.ts';
import type { Budget } from '../budget/budget.ts';
import type { RunGraph } from './run-graph.ts';
import type { MinHeap } from '../graph/min-heap.ts';

type PreparedEvent = Extract<RunEvent, { type: 'ATTEMPT_PREPARED' }>;

/** PENDING waits for needs, RETRY for its back-off; ACTIVE has one live attempt; the last three are final. */
export type NodeStatus =
  'PENDING' | 'READY' | 'ACTIVE' | 'RETRY' | 'ACCEPTED' | 'FAILED' | 'SKIPPED';

export interface NodeState {
  readonly plan: ExpandedNode;
  status: NodeStatus;
  /** Needs that are not accepted yet. */
  unmetNeeds: number;
  /** Ids of all its attempts, oldest first. */
  readonly attempts: string[];
  /** Ended attempts that count against `maxAttempts`, and those that never came up (E19, E108). */
  countedAttempts: number;
  startFailures: number;
  /** RETRY only: the instant of the next try. */
  notBefore: string | null;
  acceptedAttempt: string | null;
  failure: { reason: string; detail: string } | null;
}

/** A node's place in the dispatch order, with the instant before which it is not tried. */
export interface RetryEntry {
  notBefore: string;
  rank: number;
}

export interface RunAttempt {
  readonly attemptId: string;
  readonly nodeId: string;
  readonly number: number;
  readonly executor: string;
  readonly executorVersion: string;
  readonly level: ExecutorLevel;
  readonly kind: ExecutorKind;
  readonly passedOver: PreparedEvent['passedOver'];
  readonly requestSha256: string;
  readonly commitment: Amounts;
  readonly preparedAt: string;
  readonly hardDeadline: string;
  /** The first attempt of the group that it runs in; null for that one and for attempts that run alone. */
  readonly group: string | null;
  /** PREPARED until the start was confirmed; an end is final. */
  status: 'PREPARED' | 'DISPATCHED' | AttemptEnd;
  dispatchedAt: string | null;
  endedAt: string | null;
  reason: FailureReason | null;
  detail: string;
  outputs: Readonly<Record<string, Artifact>>;
  recordSha256: string | null;
  /** A letter a check, in their order; null when nothing was admitted. */
  verdicts: string | null;
  settlement: Amounts | null;
  claimedAt: string | null;
  returnedAt: string | null;
  /** `kind evidence` of each recorded violation (E94), and `code digest` of each response that was refused. */
  readonly violations: Set<string>;
  readonly rejections: Set<string>;
}

/**
 * The fold of one run's log. It is owned by whoever holds it: `evolve`, `schedule` and `reduceMessages` change it in
 * place and give it back, so that an event costs the same in a run of ten nodes and of ten thousand. Never keep a state
 * whose commit was lost: fold the log again.
 */
export interface RunState {
  readonly runId: string;
  readonly board: string;
  readonly plan: ExpandedPlan;
  readonly planSha256: string;
  status: RunStatus;
  detail: string;
  startedBy: string;
  startedAt: string | null;
  endedAt: string | null;
  cancel: { by: string; cause: string; at: string } | null;
  readonly nodes: Map<string, NodeState>;
  readonly attempts: Map<string, RunAttempt>;
  /** Attempts that have not ended. */
  readonly live: Map<string, RunAttempt>;
  budget: Budget;
  /** Ids of the messages that commits took. */
  readonly taken: Set<string>;
  /** Ids of the messages that could not be decided. */
  readonly quarantined: Set<string>;
  /** Nodes that are accepted, failed, skipped. */
  readonly settled: { ACCEPTED: number; FAILED: number; SKIPPED: number };
  /** Derived from the plan and the events; not part of the rendered state. */
  readonly graph: RunGraph;
  /** Dispatch ranks of nodes that became ready; entries of nodes that have moved on are dropped when met. */
  readonly ready: MinHeap<number>;
  readonly waiting: MinHeap<RetryEntry>;
  /** Attempts of each group in order, by the id of its first. */
  readonly groups: Map<string, string[]>;
  /** Nodes one of whose needs can never be accepted any more. */
  readonly doomed: string[];
}
