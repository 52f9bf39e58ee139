import type {
  AttemptGroup,
  AttemptName,
  AttemptRegister,
  AttemptState,
  AttemptWork,
  ClaimAnswer,
  LiveAttempt,
  PreparedAttempt,
  ReturnAnswer,
  Settlement,
} from '../../ports/attempt-register.ts';
import { storeMessage } from './in-memory-inbox.ts';
import { openRegister } from './open-register.ts';
import type { InMemoryTable } from './in-memory-table.ts';

export class InMemoryAttemptRegister implements AttemptRegister {
  readonly #table: InMemoryTable;

  constructor(table: InMemoryTable) {
    this.#table = table;
  }

  prepare(attempts: readonly PreparedAttempt[]): Promise<void> {
    return this.#table.perform('attempts.prepare', () => {
      for (const attempt of attempts) {
        this.#table.prepared.set(attempt.attemptId, structuredClone(attempt));
      }
    });
  }

  readWork({ attemptId, runId, board }: AttemptName): Promise<AttemptWork> {
    return this.#table.perform('attempts.readWork', () => ({
      prepared: this.#table.prepared.get(attemptId),
      state: this.#table.attempts.get(attemptId),
      stopped: this.#table.stopped.has(`${board}/${runId}`),
    }));
  }

  async readGroupWork({ attemptIds, runId, board }: AttemptGroup): Promise<AttemptWork[]> {
    return Promise.all(attemptIds.map((attemptId) => this.readWork({ attemptId, runId, board })));
  }

  readPrepared(attemptId: string): Promise<PreparedAttempt | undefined> {
    return this.#table.perform('attempts.readPrepared', () => this.#table.prepared.get(attemptId));
  }

  read(attemptId: string): Promise<AttemptState | undefined> {
    return this.#table.perform('attempts.read', () => this.#table.attempts.get(attemptId));
  }

  launch(
    attempt: PreparedAttempt,
    workflowToken: string,
    at: string,
  ): Promise<'LAUNCHED' | 'FENCED' | 'ENDED'> {
    return this.#table.perform('attempts.launch', () => {
      const state = this.#table.attempts.get(attempt.attemptId) ?? openRegister(attempt);
      if (state.outcome !== null) return 'ENDED';
      if (state.fencedAt !== null) return 'FENCED';
      this.#keep({ ...state, launchedAt: state.launchedAt ?? at, workflowToken });
      return 'LAUNCHED';
    });
  }

  recordTask(attemptId: string, taskArn: string): Promise<void> {
    return this.#table.perform('attempts.recordTask', () => {
      const state = this.#table.attempts.get(attemptId);
      if (state?.outcome === null) this.#keep({ ...state, taskArn });
    });
  }

  claim(
    attemptId: string,
    claim: { nonceSha256: string; at: string; leaseUntil: string },
  ): Promise<ClaimAnswer> {
    return this.#table.perform('attempts.claim', () => {
      const state = this.#table.attempts.get(attemptId);
      if (state === undefined) return 'UNKNOWN';
      if (state.outcome !== null) return 'ENDED';
      if (state.fencedAt !== null) return 'FENCED';
      if (state.claimedAt !== null) {
        const repeatable = state.heartbeatAt === null && state.nonceSha256 === claim.nonceSha256;
        return repeatable ? 'REPEATED' : 'ALREADY_CLAIMED';
      }
      const { nonceSha256, leaseUntil } = claim;
      this.#keep({ ...state, claimedAt: claim.at, nonceSha256, leaseUntil });
      return 'CLAIMED';
    });
  }

  beat(
    attemptId: string,
    beat: { at: string; leaseUntil: string },
  ): Promise<AttemptState | undefined> {
    return this.#table.perform('attempts.beat', () => {
      const state = this.#table.attempts.get(attemptId);
      if (state === undefined || state.claimedAt === null) return undefined;
      if (state.outcome !== null || state.fencedAt !== null) return state;
      const { leaseUntil } = beat;
      return this.#keep({ ...state, heartbeatAt: state.heartbeatAt ?? beat.at, leaseUntil });
    });
  }

  recordReturn(
    attemptId: string,
    returned: { bodySha256: string; responseSha256: string; recordSha256: string; at: string },
  ): Promise<ReturnAnswer> {
    return this.#table.perform('attempts.recordReturn', () => {
      const state = this.#table.attempts.get(attemptId);
      if (state === undefined || state.claimedAt === null) return 'UNKNOWN';
      if (state.returnedAt !== null) {
        return state.bodySha256 === returned.bodySha256 ? 'REPEATED' : 'TOKEN_USED';
      }
      if (state.outcome !== null) return 'ENDED';
      if (state.fencedAt !== null) return 'FENCED';
      const { at, ...digests } = returned;
      this.#keep({ ...state, ...digests, returnedAt: at });
      return 'RETURNED';
    });
  }

  fence(attempt: PreparedAttempt, cause: string, at: string): Promise<AttemptState> {
    return this.#table.perform('attempts.fence', () => {
      const state = this.#table.attempts.get(attempt.attemptId) ?? openRegister(attempt);
      if (state.outcome !== null || state.fencedAt !== null) return state;
      return this.#keep({ ...state, fencedAt: at, fenceCause: cause });
    });
  }

  settle(settlement: Settlement): Promise<'SET' | 'ALREADY_SET'> {
    return this.#table.perform('attempts.settle', () => {
      if (this.#isSettled(settlement)) return 'ALREADY_SET';
      this.#settle(settlement);
      return 'SET';
    });
  }

  settleGroup(settlements: readonly Settlement[]): Promise<'SET' | 'REFUSED'> {
    return this.#table.perform('attempts.settleGroup', () => {
      if (settlements.some((settlement) => this.#isSettled(settlement))) return 'REFUSED';
      for (const settlement of settlements) this.#settle(settlement);
      return 'SET';
    });
  }

  #isSettled({ attempt }: Settlement): boolean {
    return (this.#table.attempts.get(attempt.attemptId)?.outcome ?? null) !== null;
  }

  #settle({ attempt, outcome, message }: Settlement): void {
    const state = this.#table.attempts.get(attempt.attemptId) ?? openRegister(attempt);
    storeMessage(this.#table, attempt.runId, message);
    this.#keep({ ...state, outcome: structuredClone(outcome) });
  }

  listLive(): Promise<LiveAttempt[]> {
    return this.#table.perform('attempts.listLive', () =>
      [...this.#table.attempts.values()]
        .filter((state) => state.launchedAt !== null && state.outcome === null)
        .map(({ attemptId, runId, hardDeadline }) => ({ attemptId, runId, hardDeadline }))
        .sort((left, right) => (left.hardDeadline < right.hardDeadline ? -1 : 1)),
    );
  }

  #keep(state: AttemptState): AttemptState {
    this.#table.attempts.set(state.attemptId, state);
    return state;
  }
}
