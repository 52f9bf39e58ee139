import type {
  FargateTask,
  FargateTasks,
  LaunchAnswer,
  TaskLaunch,
} from '../../ports/fargate-tasks.ts';
import type { InMemoryTable } from './in-memory-table.ts';

interface Entry {
  attemptId: string;
  task: FargateTask;
  launch: TaskLaunch;
}

export class InMemoryFargateTasks implements FargateTasks {
  readonly #table: InMemoryTable;
  readonly entries: Entry[] = [];
  /** Answers of the next launches that start nothing; after them launches succeed. */
  readonly refusals: LaunchAnswer[] = [];
  /** Whether a stop takes effect by itself; otherwise the task stays STOPPING until `end`. */
  stopsAtOnce = true;

  constructor(table: InMemoryTable) {
    this.#table = table;
  }

  launch(launch: TaskLaunch): Promise<LaunchAnswer> {
    return this.#table.perform('tasks.launch', (): LaunchAnswer => {
      const standing = this.entries.find((entry) => entry.attemptId === launch.attemptId);
      if (standing !== undefined) return { kind: 'STARTED', taskArn: standing.task.taskArn };
      const refusal = this.refusals.shift();
      if (refusal !== undefined) return refusal;
      const taskArn = `arn:aws:ecs:eu-central-1:000000000000:task/windlass/${String(this.entries.length + 1)}`;
      const task: FargateTask = {
        taskArn,
        lastStatus: 'RUNNING',
        stoppedReason: null,
        stopCode: null,
        startedAt: null,
        stoppedAt: null,
        containers: [{ name: 'courier', exitCode: null, reason: null }],
      };
      this.entries.push({ attemptId: launch.attemptId, task, launch: structuredClone(launch) });
      return { kind: 'STARTED', taskArn };
    });
  }

  stop(taskArn: string, reason: string): Promise<void> {
    return this.#table.perform('tasks.stop', () => {
      const task = this.#look(taskArn);
      if (task === undefined || task.lastStatus === 'STOPPED') return;
      task.lastStatus = this.stopsAtOnce ? 'STOPPED' : 'STOPPING';
      task.stoppedReason ??= reason;
      task.stopCode ??= 'UserInitiated';
    });
  }

  find(taskArn: string): Promise<FargateTask | undefined> {
    return this.#table.perform('tasks.find', () => this.#look(taskArn));
  }

  findByAttempt(attemptId: string): Promise<FargateTask[]> {
    return this.#table.perform('tasks.findByAttempt', () =>
      this.entries.filter((entry) => entry.attemptId === attemptId).map(({ task }) => task),
    );
  }

  listLive(): Promise<{ taskArn: string; attemptId: string }[]> {
    return this.#table.perform('tasks.listLive', () =>
      this.entries
        .filter(({ task }) => task.lastStatus !== 'STOPPED')
        .map(({ attemptId, task }) => ({ attemptId, taskArn: task.taskArn })),
    );
  }

  /** The task stops by itself. */
  end(taskArn: string, facts: Partial<FargateTask> = {}): void {
    const task = this.#look(taskArn);
    if (task !== undefined) Object.assign(task, { lastStatus: 'STOPPED' }, facts);
  }

  /** ECS forgets the task. */
  forget(taskArn: string): void {
    const place = this.entries.findIndex(({ task }) => task.taskArn === taskArn);
    if (place >= 0) this.entries.splice(place, 1);
  }

  #look(taskArn: string): FargateTask | undefined {
    return this.entries.find(({ task }) => task.taskArn === taskArn)?.task;
  }
}
