import { expect } from 'vitest';
import type { createInMemoryPorts } from '../../../functions/adapters/in-memory/create-in-memory-ports.ts';
import type { Settlement } from '../../../functions/ports/attempt-register.ts';
import {
  composeSettlement,
  settleAttempt,
} from '../../../functions/use-cases/attempt/settle-attempt.ts';
import { wakeRun } from '../../../functions/use-cases/run/wake-run.ts';
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
    for (const name of this.#chances.shuffle([...this.list('attempt/'), ...this.list('group/')])) {
      if (this.#chances.chance(0.5)) continue;
      moved = true;
      await this.#chances.survive(async () => {
        await (name.startsWith('group/') ? this.#runGroup(name) : this.#runAttempt(nameLast(name)));
        this.#ports.workflows.end(name);
      });
    }
    return moved;
  }

  /** Settles what it can in one transaction, and each of the others by itself. */
  async #runGroup(name: string): Promise<void> {
    const { attempts, clock } = this.#ports;
    const at = clock.now().toISOString();
    const attemptIds = this.#ports.workflows.inputs.get(name)?.['attemptIds'] as string[];
    const together = attemptIds.filter(() => !this.#chances.chance(0.2));
    const settlements: Settlement[] = [];
    for (const attemptId of together) {
      const prepared = await attempts.readPrepared(attemptId);
      if (prepared === undefined) throw new Error(`${attemptId} was started and never prepared`);
      expect(prepared.group).toContain(attemptId);
      const outcome = inventOutcome(attemptId, this.#chances.failureChance, at);
      settlements.push(composeSettlement(prepared, outcome));
    }
    const answer = settlements.length === 0 ? 'SET' : await attempts.settleGroup(settlements);
    const [first] = settlements;
    if (first !== undefined) await wakeRun(this.#ports, first.attempt.runId);
    const alone = attemptIds.filter((id) => answer === 'REFUSED' || !together.includes(id));
    for (const attemptId of alone) await this.#runAttempt(attemptId);
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

  async #runAttempt(attemptId: string): Promise<void> {
    const { attempts, clock } = this.#ports;
    const prepared = await attempts.readPrepared(attemptId);
    if (prepared === undefined) throw new Error(`${attemptId} was started and never prepared`);
    const at = clock.now().toISOString();
    if (prepared.kind === 'fargate') await attempts.launch(prepared, `token of ${attemptId}`, at);
    // Its workflow may be gone, and nobody says so: a deadline has to notice.
    if (!this.#chances.chance(0.05)) {
      const outcome = inventOutcome(attemptId, this.#chances.failureChance, at);
      await settleAttempt(this.#ports, prepared, outcome);
    }
  }

  /** A closing that the register knows nothing of can set no outcome. */
  async #close(attemptId: string): Promise<void> {
    const { attempts, workflows, clock } = this.#ports;
    const prepared = await attempts.readPrepared(attemptId);
    if (prepared === undefined) return;
    const at = clock.now().toISOString();
    await attempts.fence(prepared, 'closed', at);
    const [group] = prepared.group ?? [];
    if (group === undefined) {
      await workflows.stopAttempt({ attemptId, kind: prepared.kind, cause: 'closed' });
    } else await workflows.stopGroup({ group, cause: 'closed' });
    const invented = inventOutcome(attemptId, 0, at);
    const end = this.#ports.table.stopped.size > 0 ? 'CANCELLED' : 'ABANDONED';
    await settleAttempt(this.#ports, prepared, { ...invented, end, outputs: {} });
  }
}

/** The id at the end of an execution's name. */
function nameLast(name: string): string {
  return name.split('/').at(-1) ?? '';
}
