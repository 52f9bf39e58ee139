import type { ExecutorKind } from '../../../schemas/registry.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ExecutionStatus, RunExecution, WorkflowEngine } from '../../ports/workflow-engine.ts';
import type { InMemoryTable } from './in-memory-table.ts';

export interface TokenAnswer {
  output: Record<string, unknown> | null;
  error: string | null;
  cause: string | null;
}

export class InMemoryWorkflowEngine implements WorkflowEngine {
  readonly #table: InMemoryTable;
  readonly #clock: Clock;
  /** By name: `run/<id>-<generation>`, `attempt/<kind>/<id>`, `group/<first id>`, `close/<id>-<occasion>`. */
  readonly executions = new Map<string, 'RUNNING' | 'ENDED'>();
  /** The inputs of what was started, by the same names. */
  readonly inputs = new Map<string, Record<string, unknown>>();
  /** When an execution was started, by the same names. */
  readonly starts = new Map<string, Date>();
  /** Why an execution was ended, by the same names. */
  readonly causes = new Map<string, string>();
  readonly answers = new Map<string, TokenAnswer>();
  /** Tokens that timed out. */
  readonly goneTokens = new Set<string>();

  constructor(table: InMemoryTable, clock: Clock) {
    this.#table = table;
    this.#clock = clock;
  }

  startRun(run: { runId: string; board: string; generation: number }): Promise<void> {
    return this.#start('startRun', `run/${run.runId}-${String(run.generation)}`, run);
  }

  startAttempt(attempt: {
    attemptId: string;
    kind: ExecutorKind;
    runId: string;
    board: string;
    nodeId: string;
  }): Promise<void> {
    return this.#start('startAttempt', `attempt/${attempt.kind}/${attempt.attemptId}`, attempt);
  }

  startGroup(group: {
    group: string;
    attemptIds: readonly string[];
    runId: string;
    board: string;
  }): Promise<void> {
    return this.#start('startGroup', `group/${group.group}`, { ...group });
  }

  startClose(close: { attemptId: string; occasion: string; cause: string }): Promise<void> {
    return this.#start('startClose', `close/${close.attemptId}-${close.occasion}`, close);
  }

  stopAttempt(attempt: { attemptId: string; kind: ExecutorKind; cause: string }): Promise<void> {
    return this.#table.perform('workflows.stopAttempt', () => {
      this.end(`attempt/${attempt.kind}/${attempt.attemptId}`);
    });
  }

  stopGroup(group: { group: string; cause: string }): Promise<void> {
    return this.#table.perform('workflows.stopGroup', () => {
      this.end(`group/${group.group}`);
    });
  }

  describeGroup(group: string): Promise<ExecutionStatus> {
    return this.#describe('describeGroup', `group/${group}`);
  }

  describeRun(runId: string, generation: number): Promise<RunExecution> {
    const name = `run/${runId}-${String(generation)}`;
    return this.#table.perform('workflows.describeRun', () => ({
      status: this.executions.get(name) ?? 'MISSING',
      startedAt: this.starts.get(name) ?? null,
      cause: this.causes.get(name) ?? '',
    }));
  }

  stopRun(run: { runId: string; generation: number; cause: string }): Promise<void> {
    const name = `run/${run.runId}-${String(run.generation)}`;
    return this.#table.perform('workflows.stopRun', () => {
      if (this.executions.get(name) === 'RUNNING') this.causes.set(name, run.cause);
      this.end(name);
    });
  }

  describeAttempt(attemptId: string, kind: ExecutorKind): Promise<ExecutionStatus> {
    return this.#describe('describeAttempt', `attempt/${kind}/${attemptId}`);
  }

  answerToken(token: string, output: Record<string, unknown>): Promise<'ANSWERED' | 'GONE'> {
    return this.#answer('answerToken', token, { output, error: null, cause: null });
  }

  failToken(token: string, error: string, cause: string): Promise<'ANSWERED' | 'GONE'> {
    return this.#answer('failToken', token, { output: null, error, cause });
  }

  /** The execution of this name ends. */
  end(name: string): void {
    if (this.executions.has(name)) this.executions.set(name, 'ENDED');
  }

  #start(operation: string, name: string, input: Record<string, unknown>): Promise<void> {
    return this.#table.perform(`workflows.${operation}`, () => {
      if (this.executions.has(name)) return;
      this.executions.set(name, 'RUNNING');
      this.inputs.set(name, structuredClone(input));
      this.starts.set(name, this.#clock.now());
    });
  }

  #describe(operation: string, name: string): Promise<ExecutionStatus> {
    return this.#table.perform(
      `workflows.${operation}`,
      () => this.executions.get(name) ?? 'MISSING',
    );
  }

  #answer(operation: string, token: string, answer: TokenAnswer): Promise<'ANSWERED' | 'GONE'> {
    return this.#table.perform(`workflows.${operation}`, () => {
      if (this.goneTokens.has(token) || this.answers.has(token)) return 'GONE';
      this.answers.set(token, structuredClone(answer));
      return 'ANSWERED';
    });
  }
}
