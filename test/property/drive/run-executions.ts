import type { InMemoryWorkflowEngine } from '../../../functions/adapters/in-memory/in-memory-workflow-engine.ts';

/** One execution of the run workflow, as Step Functions would hold it. */
export interface Execution {
  generation: number;
  call: number;
  /** WAITING: the state waits for somebody to answer the token of its call. */
  state: 'CALLING' | 'WAITING';
}

/** The run workflows of one run: what Step Functions does with them, without the reducer that they call. */
export class RunExecutions {
  readonly #workflows: InMemoryWorkflowEngine;
  readonly #runId: string;
  readonly #executions = new Map<number, Execution>();

  constructor(workflows: InMemoryWorkflowEngine, runId: string) {
    this.#workflows = workflows;
    this.#runId = runId;
  }

  listRunning(): Execution[] {
    for (const [name, input] of this.#workflows.inputs) {
      const generation = Number(input['generation']);
      if (!name.startsWith('run/') || this.#executions.has(generation)) continue;
      this.#executions.set(generation, { generation, call: 1, state: 'CALLING' });
    }
    return [...this.#executions.values()].filter((execution) => this.isRunning(execution));
  }

  isRunning({ generation }: Execution): boolean {
    return this.#workflows.executions.get(this.#name(generation)) === 'RUNNING';
  }

  isEnded(generation: number): boolean {
    return this.#workflows.executions.get(this.#name(generation)) === 'ENDED';
  }

  end(generation: number): void {
    this.#workflows.end(this.#name(generation));
  }

  /** Whether the token was answered; the execution then goes on, ends or fails. */
  takeAnswer(execution: Execution, isRetried: boolean): boolean {
    const answer = this.#workflows.answers.get(nameToken(execution));
    if (answer === undefined) return false;
    execution.state = 'CALLING';
    execution.call += 1;
    const goesOn = answer.error === null ? answer.output?.['next'] === 'AGAIN' : isRetried;
    if (!goesOn) this.end(execution.generation);
    return true;
  }

  #name(generation: number): string {
    return `run/${this.#runId}-${String(generation)}`;
  }
}

export function nameToken({ generation, call }: Execution): string {
  return `g${String(generation)}-c${String(call)}`;
}
