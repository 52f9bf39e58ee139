import type { AttemptRecord } from '../../../schemas/attempt-record.ts';
import type { StoredResponse } from '../../../schemas/executor-response.ts';
import type { ExpandedNode } from '../../../schemas/expanded-plan.ts';
import type { AcceptanceCheck } from '../../../schemas/plan.ts';
import type { Executor } from '../../../schemas/registry.ts';
import type { PreparedAttempt } from '../../ports/attempt-register.ts';

/** A stored output as the controller measured it from the bytes (E16), at admission or, for a function, when it stored them. */
export interface MeasuredOutput {
  key: string;
  versionId: string;
  sha256: string;
  size: number;
  /** The bytes as UTF-8 where they are text; null for other media types and for what is too large to be taken. */
  text: string | null;
  /** What no output may hold, where it was looked for when the bytes were stored. */
  findings?: readonly string[];
}

/** What one acceptance check of the contract found. */
export interface AcceptanceResult {
  check: AcceptanceCheck['check'];
  output: string;
  passed: boolean;
  detail: string;
}

/** Everything that admission may know, and all that decides. */
export interface AdmissionFacts {
  prepared: PreparedAttempt;
  /** The node in the pinned plan; its contract is in force. */
  node: ExpandedNode;
  /** The chosen executor in the pinned plan; undefined when the plan knows none of that id. */
  executor: Executor | undefined;
  /** As it arrived, with digests in the tokens' place. */
  response: unknown;
  record: AttemptRecord;
  /** By output name, for every output that the record names; undefined when no bytes are there. */
  stored: Record<string, MeasuredOutput | undefined>;
  acceptance: readonly AcceptanceResult[];
  /** The controller's own clock. Null for a function, which claims nothing. */
  claimedAt: string | null;
  returnedAt: string;
  now: string;
  /** A stop order stands for the run (E59). */
  stopped: boolean;
  /** The attempt was fenced before it returned. */
  fenced: boolean;
  policyVersionInForce: number;
}

/** The facts with the response read once; undefined when it does not fit its schema. */
export interface ParsedFacts extends AdmissionFacts {
  parsed: StoredResponse | undefined;
}
