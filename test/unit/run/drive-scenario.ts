import type { AttemptOutcome } from '../../../schemas/attempt-outcome.ts';
import { renderCanonical } from '../../../schemas/digest.ts';
import { digestPlan, encodePlan, type ExpandedPlan } from '../../../schemas/expanded-plan.ts';
import type { RunEvent } from '../../../schemas/run-event.ts';
import { nameOutcomeMessage, type RunMessage } from '../../../schemas/run-message.ts';
import { createInMemoryPorts } from '../../../functions/adapters/in-memory/create-in-memory-ports.ts';
import { RetryableError } from '../../../functions/ports/errors.ts';
import { beginRun } from '../../../functions/use-cases/run/begin-run.ts';
import {
  driveRun,
  type DriveAnswer,
  type DriveDependencies,
  type DriveMemory,
} from '../../../functions/use-cases/run/drive-run.ts';
import { settleAttempt } from '../../../functions/use-cases/attempt/settle-attempt.ts';
import { composeOutcome, runId } from '../domain/run/compose-run.ts';

export const board = 'harbour';
export { runId };

/** A control plane in memory in which one run was begun. Its clock moves only by pauses and by hand. */
export class DriveScenario {
  readonly ports = createInMemoryPorts();
  readonly pauses: number[] = [];
  memory: DriveMemory = new Map();
  /** What happens while somebody pauses. */
  duringPause: (() => Promise<void>) | undefined;

  static async begin(plan: ExpandedPlan): Promise<DriveScenario> {
    const scenario = new DriveScenario();
    const { documents } = scenario.ports;
    await documents.put('plans', renderCanonical(encodePlan(plan)));
    await beginRun(scenario.ports, {
      scope: ['test'],
      bodySha256: 'body',
      runId,
      board,
      startedBy: 'role/starter',
      plan,
      planSha256: digestPlan(plan),
    });
    return scenario;
  }

  dependencies(memory = this.memory): DriveDependencies {
    const pause = async (milliseconds: number): Promise<void> => {
      this.pauses.push(milliseconds);
      this.ports.clock.advance(milliseconds / 1_000);
      await this.duringPause?.();
    };
    return { ...this.ports, memory, pause };
  }

  drive(call: number, options: { generation?: number; memory?: DriveMemory } = {}) {
    const generation = options.generation ?? 1;
    const taskToken = nameToken(call, generation);
    const drive = { runId, board, generation, call, taskToken };
    return driveRun(this.dependencies(options.memory), drive);
  }

  /** Drives as the run workflow would, call after call, while it is told to. */
  async driveOn(call: number): Promise<{ answer: DriveAnswer; nextCall: number }> {
    let next = call;
    for (;;) {
      const answer = await this.drive(next);
      next += 1;
      if (answer === 'FINISHED' || (answer === 'PARKED' && !this.isAnswered(next - 1))) {
        return { answer, nextCall: next };
      }
    }
  }

  isAnswered(call: number, generation = 1): boolean {
    return this.ports.workflows.answers.has(nameToken(call, generation));
  }

  /** The newest attempt of a node, by the log. */
  findAttempt(nodeId: string): string {
    const prepared = this.events.filter(
      (event) => event.type === 'ATTEMPT_PREPARED' && event.nodeId === nodeId,
    );
    const last = prepared.at(-1);
    if (last?.type !== 'ATTEMPT_PREPARED') throw new Error(`no attempt of ${nodeId}`);
    return last.attemptId;
  }

  /** The newest attempt of a node ends, as an admission or a closing would end it. */
  async settle(nodeId: string, outcome: Partial<AttemptOutcome> = {}): Promise<void> {
    const { prepared, composed } = this.#compose(nodeId, outcome);
    await settleAttempt(this.ports, prepared, composed);
  }

  /** The same by somebody who dies before the run is woken. */
  async settleUnheard(nodeId: string, outcome: Partial<AttemptOutcome> = {}): Promise<void> {
    const { prepared, composed } = this.#compose(nodeId, outcome);
    const { attemptId } = prepared;
    await this.ports.attempts.settle({
      attempt: prepared,
      outcome: composed,
      message: {
        type: 'ATTEMPT_OUTCOME',
        id: nameOutcomeMessage(attemptId),
        at: composed.endedAt,
        attemptId,
        outcome: composed,
      },
    });
  }

  #compose(nodeId: string, outcome: Partial<AttemptOutcome>) {
    const attemptId = this.findAttempt(nodeId);
    const prepared = this.ports.table.prepared.get(attemptId);
    if (prepared === undefined) throw new Error(`${attemptId} is not in the register`);
    const message = composeOutcome(attemptId, outcome);
    if (message.type !== 'ATTEMPT_OUTCOME') throw new Error('no outcome');
    return { prepared, composed: message.outcome };
  }

  put(message: RunMessage): Promise<void> {
    return this.ports.inbox.put(runId, message);
  }

  cancel(id = 'cancel'): Promise<void> {
    const at = this.ports.clock.now().toISOString();
    return this.put({ type: 'CANCEL', id, at, by: 'role/operator', cause: 'enough' });
  }

  get head() {
    const head = this.ports.table.heads.get(runId);
    if (head === undefined) throw new Error('no head');
    return head;
  }

  get entries() {
    return this.ports.table.entries.get(runId) ?? [];
  }

  get events(): RunEvent[] {
    return this.entries.flatMap((entry) => entry.events);
  }

  listTypes(): string[] {
    return this.events.map((event) => event.type);
  }

  listUnread(): string[] {
    return [...(this.ports.table.messages.get(runId)?.keys() ?? [])];
  }

  /** Names of executions that begin so. */
  listExecutions(prefix: string): string[] {
    return [...this.ports.workflows.executions.keys()].filter((name) => name.startsWith(prefix));
  }

  /** Whatever reaches this operation at this moment dies, once. */
  dieAt(operation: string, moment: 'before' | 'after'): void {
    this.once(operation, moment, () => {
      throw new RetryableError(`died ${moment} ${operation}`);
    });
  }

  /** Something happens at this operation, once. */
  once(operation: string, moment: 'before' | 'after', happen: () => void | Promise<void>): void {
    const { table } = this.ports;
    table.interruption = (reached, at) => {
      if (reached !== operation || at !== moment) return;
      table.interruption = undefined;
      return happen();
    };
  }

  /** How often each operation was reached while `work` ran. */
  async count(operation: string, work: () => Promise<unknown>): Promise<number> {
    let reached = 0;
    this.ports.table.interruption = (name, moment) => {
      if (name === operation && moment === 'before') reached += 1;
    };
    await work();
    this.ports.table.interruption = undefined;
    return reached;
  }
}

export function nameToken(call: number, generation = 1): string {
  return `token-g${String(generation)}-c${String(call)}`;
}
