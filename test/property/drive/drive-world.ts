import { digestPlan, type ExpandedPlan } from '../../../schemas/expanded-plan.ts';
import type { RunMessage } from '../../../schemas/run-message.ts';
import { createInMemoryPorts } from '../../../functions/adapters/in-memory/create-in-memory-ports.ts';
import { RetryableError } from '../../../functions/ports/errors.ts';
import { cancelRun } from '../../../functions/use-cases/run/cancel-run.ts';
import { driveRun, type DriveMemory } from '../../../functions/use-cases/run/drive-run.ts';
import { reviveRun } from '../../../functions/use-cases/run/revive-run.ts';
import { sweep } from '../../../functions/use-cases/run/sweep.ts';
import { RandomSource } from '../random-source.ts';
import { SimulatedExecutors } from './simulated-executors.ts';
import { beginPlannedRun } from './begin-planned-run.ts';
import { nameToken, RunExecutions, type Execution } from './run-executions.ts';

export interface Storm {
  seed: number;
  /** The chance that whoever makes a call to a port dies of it, before or after it was done. */
  deathChance: number;
  failureChance: number;
  /** Steps after which nobody dies any more. */
  steps: number;
  cancels: boolean;
}

export const board = 'harbour';
export const runId = `run_${'0'.repeat(26)}`;

const stepsAtMost = 6_000;

/** A whole control plane in memory with one run, in which everything that can die does, until the storm is over. */
export class DriveWorld {
  readonly ports = createInMemoryPorts();
  readonly plan: ExpandedPlan;
  readonly planSha256: string;
  /** What two warm environments of the reducer remember. */
  readonly memories: readonly DriveMemory[] = [new Map<string, never>(), new Map<string, never>()];
  sweeps = 0;
  deaths = 0;
  readonly #storm: Storm;
  readonly #random: RandomSource;
  readonly #executions = new RunExecutions(this.ports.workflows, runId);
  readonly #executors: SimulatedExecutors;
  readonly #past: RunMessage[] = [];
  #isCalm = true;

  constructor(plan: ExpandedPlan, storm: Storm) {
    this.plan = plan;
    this.planSha256 = digestPlan(plan);
    this.#storm = storm;
    this.#random = new RandomSource(storm.seed);
    this.#executors = new SimulatedExecutors(this.ports, {
      failureChance: storm.failureChance,
      shuffle: (names) => this.#random.shuffle(names),
      chance: (probability) => this.#chance(probability),
      survive: (work) => this.#survive(work),
    });
  }

  get head() {
    const head = this.ports.table.heads.get(runId);
    if (head === undefined) throw new Error('the run has no head');
    return head;
  }

  get entries() {
    return this.ports.table.entries.get(runId) ?? [];
  }

  async play(onStep: () => void): Promise<void> {
    await beginPlannedRun(this.ports, { runId, board, plan: this.plan });
    this.ports.table.interruption = () => this.#interrupt();
    for (let step = 0; !this.ports.table.closed.has(runId); step += 1) {
      if (step > stepsAtMost) throw new Error(`the run does not end: ${this.#describe()}`);
      this.#isCalm = step >= this.#storm.steps;
      const moved = await this.#takeStep();
      // Time alone brings nothing back; the sweep has to.
      if (!moved || this.#chance(0.05)) await this.#sweep();
      onStep();
    }
    this.ports.table.interruption = undefined;
  }

  /** Where a network would be: somebody dies here, or others get ahead. */
  async #interrupt(): Promise<void> {
    this.ports.clock.advance(0.005);
    for (let turns = this.#random.below(3); turns > 0; turns -= 1) await Promise.resolve();
    if (this.#isCalm || !this.#random.chance(this.#storm.deathChance)) return;
    this.deaths += 1;
    throw new RetryableError('died');
  }

  async #takeStep(): Promise<boolean> {
    this.#rememberMessages();
    if (this.#storm.cancels && this.#chance(0.01)) await this.#cancel();
    if (this.#chance(0.1)) await this.#repeatMessage();
    if (this.#chance(0.02)) this.#killWorkflow();
    const moved = [
      await this.#drive(),
      await this.#executors.runAttempts(),
      await this.#executors.runClosings(),
    ];
    return moved.includes(true);
  }

  async #drive(): Promise<boolean> {
    let moved = false;
    for (const execution of this.#executions.listRunning()) {
      if (execution.state === 'WAITING') {
        if (!this.#executions.takeAnswer(execution, !this.#chance(0.2))) continue;
        moved = true;
        if (!this.#executions.isRunning(execution)) continue;
      }
      moved = true;
      await this.#call(execution);
    }
    return moved;
  }

  async #call(execution: Execution): Promise<void> {
    const { generation, call } = execution;
    execution.state = 'WAITING';
    const token = nameToken(execution);
    const drive = (number: number, taskToken: string): Promise<void> =>
      this.#reduce({ generation, call: number, taskToken });
    const others: Promise<void>[] = [];
    if (this.#chance(0.1)) others.push(drive(call, token));
    if (call > 1 && this.#chance(0.1)) others.push(drive(call - 1, 'given up'));
    if (generation > 1 && this.#chance(0.1)) {
      others.push(this.#reduce({ generation: generation - 1, call: 50, taskToken: 'given up' }));
    }
    await Promise.all([drive(call, token), ...others]);
  }

  /** What the handler of reduce-run does; sometimes it is gone before it can say so. */
  async #reduce(event: { generation: number; call: number; taskToken: string }): Promise<void> {
    const { workflows } = this.ports;
    const memory = this.memories[this.#random.below(2)] ?? new Map<string, never>();
    const pause = (milliseconds: number): Promise<void> => {
      this.ports.clock.advance(milliseconds / 1_000);
      return Promise.resolve();
    };
    try {
      const answer = await driveRun({ ...this.ports, memory, pause }, { runId, board, ...event });
      if (answer !== 'PARKED') await workflows.answerToken(event.taskToken, { next: answer });
    } catch (error) {
      if (!(error instanceof RetryableError)) throw error;
      if (this.#chance(0.3)) return;
      await this.#survive(() => workflows.failToken(event.taskToken, error.name, 'see the log'));
    }
  }

  #cancel(): Promise<void> {
    return this.#survive(() =>
      cancelRun(this.ports, { board, runId, by: 'role/operator', cause: 'enough' }),
    );
  }

  #rememberMessages(): void {
    for (const message of this.ports.table.messages.get(runId)?.values() ?? []) {
      if (!this.#past.some(({ id }) => id === message.id)) this.#past.push(message);
    }
  }

  #repeatMessage(): Promise<void> {
    const message = this.#past[this.#random.below(this.#past.length || 1)];
    if (message === undefined) return Promise.resolve();
    const id = this.#random.chance(0.5) ? message.id : `${message.id}/again`;
    return this.#survive(() => this.ports.inbox.put(runId, { ...message, id }));
  }

  /** StopExecution by somebody at the console, or a deploy. */
  #killWorkflow(): void {
    this.#executions.end(this.head.generation);
  }

  async #sweep(): Promise<void> {
    this.ports.clock.advance(60);
    this.sweeps += 1;
    const { generation } = this.head;
    if (this.#chance(0.3) && this.#executions.isEnded(generation)) {
      await this.#survive(() => reviveRun(this.ports, { runId, generation }));
    }
    await this.#survive(() => sweep(this.ports));
  }

  /** Whoever does this may die of it; nobody hears of it. */
  async #survive(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof RetryableError)) throw error;
    }
  }

  #chance(probability: number): boolean {
    return this.#random.chance(probability) && !this.#isCalm;
  }

  #describe(): string {
    const { head, ports } = this;
    const executions = this.#executions.listRunning();
    return JSON.stringify({ head, parked: ports.table.parked.get(runId), executions });
  }
}
