import { renderCanonical } from '../../../schemas/digest.ts';
import { digestPlan, encodePlan, type ExpandedPlan } from '../../../schemas/expanded-plan.ts';
import type { RunMessage } from '../../../schemas/run-message.ts';
import { createInMemoryPorts } from '../../../functions/adapters/in-memory/create-in-memory-ports.ts';
import { RetryableError } from '../../../functions/ports/errors.ts';
import { settleAttempt } from '../../../functions/use-cases/attempt/settle-attempt.ts';
import { beginRun } from '../../../functions/use-cases/run/begin-run.ts';
import { cancelRun } from '../../../functions/use-cases/run/cancel-run.ts';
import { driveRun, type DriveMemory } from '../../../functions/use-cases/run/drive-run.ts';
import { reviveRun } from '../../../functions/use-cases/run/revive-run.ts';
import { sweep } from '../../../functions/use-cases/run/sweep.ts';
import { inventOutcome } from '../invent-outcome.ts';
import { RandomSource } from '../random-source.ts';

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

/** One execution of the run workflow, as Step Functions would hold it. */
interface Execution {
  generation: number;
  call: number;
  /** WAITING: the state waits for somebody to answer the token of its call. */
  state: 'CALLING' | 'WAITING';
}

const stepsAtMost = 6_000;

/** A whole control plane in memory with one run, in which everything that can die does, until the storm is over. */
export class DriveWorld {
  readonly ports = createInMemoryPorts();
  readonly plan: ExpandedPlan;
  readonly planSha256: string;
  /** What two warm environments of the reducer remember. */
  readonly memories: [DriveMemory, DriveMemory] = [new Map(), new Map()];
  sweeps = 0;
  deaths = 0;
  readonly #storm: Storm;
  readonly #random: RandomSource;
  readonly #executions = new Map<number, Execution>();
  readonly #past: RunMessage[] = [];
  #isCalm = true;

  constructor(plan: ExpandedPlan, storm: Storm) {
    this.plan = plan;
    this.planSha256 = digestPlan(plan);
    this.#storm = storm;
    this.#random = new RandomSource(storm.seed);
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
    await this.ports.documents.put('plans', renderCanonical(encodePlan(this.plan)));
    await beginRun(this.ports, {
      scope: ['test'],
      bodySha256: 'body',
      runId,
      board,
      startedBy: 'role/starter',
      plan: this.plan,
      planSha256: this.planSha256,
    });
    this.ports.table.interruption = () => this.#interrupt();
    for (let step = 0; this.head.endedAt === null; step += 1) {
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
    const moved = [await this.#drive(), await this.#runAttempts(), await this.#runClosings()];
    return moved.includes(true);
  }

  async #drive(): Promise<boolean> {
    let moved = false;
    for (const execution of this.#listRunning()) {
      if (execution.state === 'WAITING') {
        if (!this.#takeAnswer(execution)) continue;
        moved = true;
        if (!this.#isRunning(execution)) continue;
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
    const memory = this.memories[this.#random.below(2)] ?? new Map();
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

  /** Whether the token was answered; the execution goes on, ends or fails. */
  #takeAnswer(execution: Execution): boolean {
    const answer = this.ports.workflows.answers.get(nameToken(execution));
    if (answer === undefined) return false;
    execution.state = 'CALLING';
    execution.call += 1;
    const isRetried = answer.error !== null && !this.#chance(0.2);
    if (answer.output?.['next'] === 'AGAIN' || isRetried) return true;
    this.ports.workflows.end(nameExecution(execution.generation));
    return true;
  }

  async #runAttempts(): Promise<boolean> {
    let moved = false;
    for (const name of this.#random.shuffle(this.#list('attempt/'))) {
      if (this.#chance(0.5)) continue;
      moved = true;
      const attemptId = name.split('/').at(-1) ?? '';
      await this.#survive(() => this.#runAttempt(name, attemptId));
    }
    return moved;
  }

  async #runAttempt(name: string, attemptId: string): Promise<void> {
    const { attempts, workflows, clock } = this.ports;
    const prepared = await attempts.readPrepared(attemptId);
    if (prepared === undefined) throw new Error(`${attemptId} was started and never prepared`);
    const at = clock.now().toISOString();
    if (prepared.kind === 'fargate') await attempts.launch(prepared, `token of ${attemptId}`, at);
    // Its workflow is gone, and nobody says so: a deadline has to notice.
    if (this.#chance(0.05)) workflows.end(name);
    else {
      const outcome = inventOutcome(attemptId, this.#storm.failureChance, at);
      await settleAttempt(this.ports, prepared, outcome);
      workflows.end(name);
    }
  }

  async #runClosings(): Promise<boolean> {
    let moved = false;
    for (const name of this.#list('close/')) {
      moved = true;
      const attemptId = name.slice('close/'.length).split('-')[0] ?? '';
      await this.#survive(async () => {
        await this.#close(attemptId);
        this.ports.workflows.end(name);
      });
    }
    return moved;
  }

  /** A closing that the register knows nothing of can set no outcome. */
  async #close(attemptId: string): Promise<void> {
    const { attempts, workflows, clock } = this.ports;
    const prepared = await attempts.readPrepared(attemptId);
    if (prepared === undefined) return;
    const at = clock.now().toISOString();
    await attempts.fence(prepared, 'closed', at);
    await workflows.stopAttempt({ attemptId, kind: prepared.kind, cause: 'closed' });
    const invented = inventOutcome(attemptId, 0, at);
    const end = this.ports.table.stopped.size > 0 ? 'CANCELLED' : 'ABANDONED';
    await settleAttempt(this.ports, prepared, { ...invented, end, outputs: {} });
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
    this.ports.workflows.end(nameExecution(this.head.generation));
  }

  async #sweep(): Promise<void> {
    this.ports.clock.advance(60);
    this.sweeps += 1;
    const { generation } = this.head;
    if (this.#chance(0.3) && this.#isEnded(generation)) {
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

  #listRunning(): Execution[] {
    for (const [name, input] of this.ports.workflows.inputs) {
      const generation = Number(input['generation']);
      if (!name.startsWith('run/') || this.#executions.has(generation)) continue;
      this.#executions.set(generation, { generation, call: 1, state: 'CALLING' });
    }
    return [...this.#executions.values()].filter((execution) => this.#isRunning(execution));
  }

  #isRunning({ generation }: Execution): boolean {
    return this.ports.workflows.executions.get(nameExecution(generation)) === 'RUNNING';
  }

  #isEnded(generation: number): boolean {
    return this.ports.workflows.executions.get(nameExecution(generation)) === 'ENDED';
  }

  #list(prefix: string): string[] {
    return [...this.ports.workflows.executions]
      .filter(([name, status]) => name.startsWith(prefix) && status === 'RUNNING')
      .map(([name]) => name);
  }

  #chance(probability: number): boolean {
    return this.#random.chance(probability) && !this.#isCalm;
  }

  #describe(): string {
    const { head } = this;
    const unread = [...(this.ports.table.messages.get(runId)?.keys() ?? [])];
    return JSON.stringify({
      head,
      unread,
      parked: this.ports.table.parked.get(runId),
      executions: this.#listRunning(),
      attempts: this.#list('attempt/'),
    });
  }
}

function nameToken({ generation, call }: Execution): string {
  return `g${String(generation)}-c${String(call)}`;
}

function nameExecution(generation: number): string {
  return `run/${runId}-${String(generation)}`;
}
