export interface FargateTask {
  taskArn: string;
  lastStatus: string;
  /** ECS's own words. */
  stoppedReason: string | null;
  stopCode: string | null;
  startedAt: string | null;
  stoppedAt: string | null;
  containers: { name: string; exitCode: number | null; reason: string | null }[];
}

export interface TaskLaunch {
  attemptId: string;
  runId: string;
  nodeId: string;
  environment: string;
  /** HMAC of the attempt id; worthless after the claim. */
  claimTicket: string;
}

/** NO_CAPACITY and THROTTLED pass by themselves; REFUSED does not. */
export type LaunchAnswer =
  | { kind: 'STARTED'; taskArn: string }
  | { kind: 'NO_CAPACITY' | 'THROTTLED' | 'REFUSED'; detail: string };

/** Fargate tasks of attempts. A repeated launch of the same attempt adopts the task that exists (p35, p36). */
export interface FargateTasks {
  launch(task: TaskLaunch): Promise<LaunchAnswer>;
  /** Repeatable. */
  stop(taskArn: string, reason: string): Promise<void>;
  /** Undefined when ECS knows no such task (any more). */
  find(taskArn: string): Promise<FargateTask | undefined>;
  /** Every task, running or lately stopped, that was started for the attempt. */
  findByAttempt(attemptId: string): Promise<FargateTask[]>;
  /** Attempt ids of all tasks that are not stopped, for the sweep (p20). */
  listLive(): Promise<{ taskArn: string; attemptId: string }[]>;
}
