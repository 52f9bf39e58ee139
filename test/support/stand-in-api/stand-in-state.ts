import type { z } from 'zod';
import type {
  deliverableFile,
  nodeDetail,
  nodeSummary,
  runDetail,
} from '../../../schemas/public-api.ts';
import type { TaskAddress } from '../../../schemas/task-address.ts';
import type { attachmentBody } from '../../../schemas/task-api.ts';
import type { planCheckAnswer, planCheckBody } from '../../../schemas/plan-check-api.ts';
import type { RunEvent } from '../../../schemas/run-event.ts';
import { renderRunEvent } from '../../../schemas/run-event.ts';

export type StandInRun = z.infer<typeof runDetail>;
export type StandInNode = z.infer<typeof nodeSummary>;
export type StandInNodeDetail = z.infer<typeof nodeDetail>;
export type StandInDeliverable = Omit<z.infer<typeof deliverableFile>, 'url'> & {
  /** What the store sends; by default this has the recorded size and digest. */
  bytes: Buffer;
};

export interface StandInAttachment extends TaskAddress {
  id: number;
  /** Of its stored bytes. */
  key: string;
  file: z.infer<typeof attachmentBody>;
}

/** What the stand-in knows. A test fills it and changes it while commands run. */
export interface StandInState {
  boards: Set<string>;
  /** Boards on which the caller has no grant. */
  closedBoards: Set<string>;
  runs: Map<string, StandInRun>;
  events: Map<string, { seq: number; event: Record<string, unknown> }[]>;
  nodes: Map<string, StandInNodeDetail>;
  deliverables: Map<string, StandInDeliverable[]>;
  /** Stored uploads by key. */
  objects: Map<string, { bytes: Buffer; versionId: string }>;
  /** Titles of tasks by BOARD/TASK. */
  tasks: Map<string, string>;
  attachments: StandInAttachment[];
  /** Bodies of checks of plans, in order. */
  planChecks: z.infer<typeof planCheckBody>[];
  /** What a check of a plan says of its money. */
  checkedBudget: z.infer<typeof planCheckAnswer>['budget'];
  /** Whether it refuses every plan from now on, as after a deployment; otherwise those that say `refuse-me`. */
  refusesPlans: boolean;
  /** Starts by idempotency key. */
  starts: Map<string, { body: string; runId: string }>;
}

export const runId = 'run_01JQ5T8Z9Q6X4V2N7M3K1H0GFE';
export const digestOfNothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export function createState(): StandInState {
  return {
    boards: new Set(['demo']),
    closedBoards: new Set(),
    runs: new Map(),
    events: new Map(),
    nodes: new Map(),
    deliverables: new Map(),
    objects: new Map(),
    tasks: new Map([['demo/t_brief', 'Brief']]),
    attachments: [],
    planChecks: [],
    checkedBudget: {
      limit: { COMPUTE_COST: '500000', ATTEMPTS: '20', WALL_SECONDS: '600' },
      first_attempts: { COMPUTE_COST: '20000', ATTEMPTS: '3', WALL_SECONDS: '360' },
    },
    refusesPlans: false,
    starts: new Map(),
  };
}

export function makeNode(changes: Partial<StandInNode> = {}): StandInNode {
  return {
    id: 'extract',
    task_id: 't_0123456789abcdef',
    written_id: changes.id?.replace(/-\d{4}$/, '') ?? 'extract',
    title: 'Extract the text',
    operation: 'extract-text',
    state: 'ACCEPTED',
    executor: 'extract-text',
    level: 1,
    attempts: 1,
    took_milliseconds: 1400,
    seconds: '2',
    cost_micro_usd: '1500',
    needs: [],
    failure: null,
    ...changes,
  };
}

export function makeRun(changes: Partial<StandInRun> = {}): StandInRun {
  return {
    run_id: runId,
    board: 'demo',
    plan: 'document-digest',
    plan_sha256: digestOfNothing,
    status: 'SUCCEEDED',
    detail: '',
    started_at: '2026-03-01T10:00:00.000Z',
    ended_at: '2026-03-01T10:00:42.000Z',
    seq: 3,
    started_by: 'arn:aws:iam::000000000000:root',
    budget: {
      limit: { COMPUTE_COST: '500000', ATTEMPTS: '20', WALL_SECONDS: '600' },
      committed: { COMPUTE_COST: '0', ATTEMPTS: '0', WALL_SECONDS: '0' },
      spent: { COMPUTE_COST: '1500', ATTEMPTS: '1', WALL_SECONDS: '2' },
    },
    node_counts: { ACCEPTED: 1 },
    nodes: [makeNode()],
    ...changes,
  };
}

/** Puts the events of one commit behind those that are there. */
export function appendEvents(state: StandInState, run: string, ...events: RunEvent[]): void {
  const before = state.events.get(run) ?? [];
  const seq = (before.at(-1)?.seq ?? 0) + 1;
  const added = events.map((event) => ({ seq, event: { ...renderRunEvent(event) } }));
  state.events.set(run, [...before, ...added]);
}
