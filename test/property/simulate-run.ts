import { digestBytes } from '../../schemas/digest.ts';
import { digestPlan, type ExpandedPlan } from '../../schemas/expanded-plan.ts';
import { genesisHash, hashLogEntry, type LogEntry } from '../../schemas/run-log.ts';
import { nameOutcomeMessage, type RunMessage } from '../../schemas/run-message.ts';
import { findEffects } from '../../functions/domain/run/find-effects.ts';
import { findWakeAt } from '../../functions/domain/run/find-wake-at.ts';
import { initialRunState, type RunIdentity } from '../../functions/domain/run/initial-run-state.ts';
import { reduceMessages, type Reduction } from '../../functions/domain/run/reduce-messages.ts';
import { digestRunState } from '../../functions/domain/run/render-run-state.ts';
import { replayRun } from '../../functions/domain/run/replay-run.ts';
import type { RunState } from '../../functions/domain/run/run-state.ts';
import { inventOutcome } from './invent-outcome.ts';
import { RandomSource } from './random-source.ts';

export interface Weather {
  /** Of the interleaving alone; what attempts give does not depend on it. */
  seed: number;
  failureChance: number;
  /** Messages twice, late answers, violations, nonsense, restarts, lost commits. */
  isStormy: boolean;
  /** The commit after which somebody cancels; none when negative. */
  cancelAfter: number;
}

export interface Simulation {
  run: RunIdentity;
  state: RunState;
  entries: LogEntry[];
}

export type OnCommit = (
  state: RunState,
  reduction: Reduction,
  entries: readonly LogEntry[],
) => void;

const start = Date.parse('2026-01-01T00:00:00.000Z');
const stepsAtMost = 50_000;

/** Runs a plan to its end in a world that answers in any order, repeats itself and forgets its reducers. */
export function simulateRun(plan: ExpandedPlan, weather: Weather, onCommit: OnCommit): Simulation {
  return new RunWorld(plan, weather, onCommit).play();
}

class RunWorld {
  readonly #run: RunIdentity;
  readonly #weather: Weather;
  readonly #random: RandomSource;
  readonly #onCommit: OnCommit;
  readonly #entries: LogEntry[] = [];
  readonly #inbox: RunMessage[] = [];
  readonly #past: RunMessage[] = [];
  readonly #answered = new Set<string>();
  #confirmed: string[] = [];
  #state: RunState;
  #clock = start;
  #made = 0;

  constructor(plan: ExpandedPlan, weather: Weather, onCommit: OnCommit) {
    const planSha256 = digestPlan(plan);
    this.#run = { runId: `run_${'0'.repeat(26)}`, board: 'harbour', plan, planSha256 };
    this.#weather = weather;
    this.#random = new RandomSource(weather.seed);
    this.#onCommit = onCommit;
    this.#state = initialRunState(this.#run);
    const at = this.#now();
    this.#send({ type: 'START', id: 'start', at, planSha256, startedBy: 'role/starter' });
  }

  play(): Simulation {
    for (let step = 0; this.#state.endedAt === null; step += 1) {
      if (step > stepsAtMost) throw new Error('the run does not end');
      this.#takeTurn();
    }
    return { run: this.#run, state: this.#state, entries: this.#entries };
  }

  #takeTurn(): void {
    if (this.#weather.isStormy) this.#storm();
    this.#answerSome();
    this.#cancelOnce();
    const messages = this.#random.shuffle(this.#inbox).slice(0, 1 + this.#random.below(90));
    if (messages.length === 0) this.#passTime();
    const reduction = reduceMessages(
      this.#state,
      messages.map((message, index) => ({ key: `${message.id}/${String(index)}`, message })),
      { now: this.#now(), confirmed: this.#confirmed, tokenDigests },
    );
    this.#state = reduction.state;
    if (this.#weather.isStormy && this.#random.chance(0.1)) return this.#restart();
    this.#commit(reduction);
    for (const message of messages) this.#inbox.splice(this.#inbox.indexOf(message), 1);
    if (this.#weather.isStormy && this.#random.chance(0.1)) this.#restart();
  }

  /** The reducer is gone: what it had not committed never happened. */
  #restart(): void {
    this.#state = replayRun(this.#run, this.#entries);
  }

  #commit(reduction: Reduction): void {
    if (reduction.events.length === 0) return;
    this.#confirmed = [];
    const last = this.#entries.at(-1);
    const entry = {
      seq: (last?.seq ?? 0) + 1,
      commitId: `commit-${String(this.#entries.length)}`,
      events: reduction.events,
      drained: reduction.drained,
      prevHash: last?.hash ?? genesisHash,
    };
    this.#entries.push({ ...entry, hash: hashLogEntry(entry) });
    this.#onCommit(this.#state, reduction, this.#entries);
  }

  /** Attempts that are started, or closed, answer once; in what order is chance. */
  #answerSome(): void {
    const { toStart, toClose } = findEffects(this.#state, this.#now());
    for (const { attemptId } of toStart) this.#confirmed.push(attemptId);
    for (const { attemptId } of toClose) this.#answer(attemptId);
    for (const attemptId of this.#random.shuffle([...this.#state.live.keys()])) {
      if (this.#random.chance(0.5)) this.#answer(attemptId);
    }
  }

  #answer(attemptId: string): void {
    if (this.#answered.has(attemptId)) return;
    this.#answered.add(attemptId);
    const at = this.#now();
    const outcome = inventOutcome(attemptId, this.#weather.failureChance, at);
    this.#send({
      type: 'ATTEMPT_OUTCOME',
      id: nameOutcomeMessage(attemptId),
      at,
      attemptId,
      outcome,
    });
  }

  #cancelOnce(): void {
    if (this.#weather.cancelAfter < 0 || this.#entries.length < this.#weather.cancelAfter) return;
    this.#made += 1;
    const id = `cancel-${String(this.#made)}`;
    if (this.#random.chance(0.3)) {
      this.#send({ type: 'CANCEL', id, at: this.#now(), by: 'role/operator', cause: 'enough' });
    }
  }

  #storm(): void {
    const at = this.#now();
    const { attempts } = this.#state;
    const known = [...attempts.keys()][this.#random.below(attempts.size || 1)];
    const repeated = this.#past[this.#random.below(this.#past.length || 1)];
    if (repeated !== undefined && this.#random.chance(0.4)) this.#inbox.push(repeated);
    if (repeated !== undefined && this.#random.chance(0.2))
      this.#send({ ...repeated, id: this.#name() });
    if (known !== undefined && this.#random.chance(0.2)) {
      const responseSha256 = digestBytes(`${known} late`);
      this.#send({
        type: 'RESPONSE_REJECTED',
        id: this.#name(),
        at,
        attemptId: known,
        code: 'LATE',
        responseSha256,
      });
    }
    if (this.#random.chance(0.1)) {
      const attemptId = `att_${'Z'.repeat(26)}`;
      const evidenceSha256 = digestBytes('nobody');
      this.#send({
        type: 'VIOLATION',
        id: this.#name(),
        at,
        attemptId,
        kind: 'mount',
        evidenceSha256,
      });
    }
  }

  /** Nothing to take in: sleep until the run says it wants to be looked at. */
  #passTime(): void {
    const wakeAt = findWakeAt(this.#state, this.#now());
    if (wakeAt === null) return;
    // A live attempt answers long before its deadline; only back-offs are slept through.
    if (this.#state.live.size === 0) this.#clock = Math.max(this.#clock, Date.parse(wakeAt));
  }

  #send(message: RunMessage): void {
    this.#inbox.push(message);
    this.#past.push(message);
  }

  #name(): string {
    this.#made += 1;
    return `message-${String(this.#made)}`;
  }

  #now(): string {
    this.#clock += this.#random.below(50);
    return new Date(this.#clock).toISOString();
  }
}

function tokenDigests(attemptId: string): {
  attemptTokenSha256: string;
  cancellationTokenSha256: string;
} {
  return {
    attemptTokenSha256: digestBytes(`attempt ${attemptId}`),
    cancellationTokenSha256: digestBytes(`cancellation ${attemptId}`),
  };
}

/** Whether a fold of the entries gives the live state, byte for byte. */
export function isReplayEqual({ run, state, entries }: Simulation): boolean {
  return digestRunState(replayRun(run, entries)) === digestRunState(state);
}
