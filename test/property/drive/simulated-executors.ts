import type { createInMemoryPorts } from '../../../functions/adapters/in-memory/create-in-memory-ports.ts';
import { settleAttempt } from '../../../functions/use-cases/attempt/settle-attempt.ts';
import { inventOutcome } from '../invent-outcome.ts';

type InMemoryPorts = ReturnType<typeof createInMemoryPorts>;

export interface Chances {
  failureChance: number;
  shuffle: (names: readonly string[]) => string[];
  chance: (probability: number) => boolean;
  /** Does the work, and dies of it in silence. */
  survive: (work: () => Promise<unknown>) => Promise<void>;
}

/** The workflows of attempts and closings, each of which settles its attempt, dies on the way, or is never heard of again. */
export class SimulatedExecutors {
  readonly #ports: InMemoryPorts;
  readonly #chances: Chances;

  constructor(ports: InMemoryPorts, chances: Chances) {
    this.#ports = ports;
    this.#chances = chances;
  }

  /** Names of running executions that begin so. */
  list(prefix: string): string[] {
    return [...this.#ports.workflows.executions]
      .filter(([name, status]) => name.startsWith(prefix) && status === 'RUNNING')
      .map(([name]) => name);
  }

  async runAttempts(): Promise<boolean> {
    let moved = false;
    for (const name of this.#chances.shuffle(this.list('attempt/'))) {
      if (this.#chances.chance(0.5)) continue;
      moved = true;
      const attemptId = name.split('/').at(-1) ?? '';
      await this.#chances.survive(() => this.#runAttempt(name, attemptId));
    }
    return moved;
  }

  async runClosings(): Promise<boolean> {
    let moved = false;
    for (const name of this.list('close/')) {
      moved = true;
      const attemptId = name.slice('close/'.length).split('-')[0] ?? '';
      await this.#chances.survive(async () => {
        await this.#close(attemptId);
        this.#ports.workflows.end(name);
      });
    }
    return moved;
  }

  async #runAttempt(name: string, attemptId: string): Promise<void> {
    const { attempts, workflows, clock } = this.#ports;
    const prepared = await attempts.readPrepared(attemptId);
    if (prepared === undefined) throw new Error(`${attemptId} was started and never prepared`);
    const at = clock.now().toISOString();
    if (prepared.kind === 'fargate') await attempts.launch(prepared, `token of ${attemptId}`, at);
    // Its workflow may be gone, and nobody says so: a deadline has to notice.
    if (!this.#chances.chance(0.05)) {
      const outcome = inventOutcome(attemptId, this.#chances.failureChance, at);
      await settleAttempt(this.#ports, prepared, outcome);
    }
    workflows.end(name);
  }

  /** A closing that the register knows nothing of can set no outcome. */
  async #close(attemptId: string): Promise<void> {
    const { attempts, workflows, clock } = this.#ports;
    const prepared = await attempts.readPrepared(attemptId);
    if (prepared === undefined) return;
    const at = clock.now().toISOString();
    await attempts.fence(prepared, 'closed', at);
    await workflows.stopAttempt({ attemptId, kind: prepared.kind, cause: 'closed' });
    const invented = inventOutcome(attemptId, 0, at);
    const end = this.#ports.table.stopped.size > 0 ? 'CANCELLED' : 'ABANDONED';
    await settleAttempt(this.#ports, prepared, { ...invented, end, outputs: {} });
  }
}
