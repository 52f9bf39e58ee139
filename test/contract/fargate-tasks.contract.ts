import { describe, expect, it } from 'vitest';
import type { FargateTasks, TaskLaunch } from '../../functions/ports/fargate-tasks.ts';
import { newAttemptId, newRunId } from './examples.ts';

export interface FargateTasksSubject {
  tasks: FargateTasks;
  /** What runs the task says that it has ended. */
  confirmEnd: (taskArn: string) => Promise<void>;
}

export function describeLaunch(changes: Partial<TaskLaunch> = {}): TaskLaunch {
  return {
    attemptId: newAttemptId(),
    runId: newRunId(),
    nodeId: 'convert-0001',
    environment: 'documents-v1',
    claimTicket: 'a'.repeat(43),
    ...changes,
  };
}

/** What all Fargate tasks do, whatever runs them. */
export function describeFargateTasksContract(
  name: string,
  create: () => Promise<FargateTasksSubject>,
): void {
  const launch = async (tasks: FargateTasks, task: TaskLaunch): Promise<string> => {
    const answer = await tasks.launch(task);
    if (answer.kind !== 'STARTED') throw new Error(`${answer.kind}: ${answer.detail}`);
    return answer.taskArn;
  };

  describe(`${name} as Fargate tasks`, () => {
    it('starts a task and finds it by its ARN and by its attempt', async () => {
      const { tasks } = await create();
      const task = describeLaunch();
      const taskArn = await launch(tasks, task);
      expect((await tasks.find(taskArn))?.taskArn).toBe(taskArn);
      const found = await tasks.findByAttempt(task.attemptId);
      expect(found.map((one) => one.taskArn)).toEqual([taskArn]);
      expect(await tasks.findByAttempt(newAttemptId())).toEqual([]);
      expect(await tasks.find(taskArn.replace(/[^/]+$/, '0'.repeat(32)))).toBeUndefined();
    });

    it('p36 adopts the task that exists when a launch is repeated', async () => {
      const { tasks } = await create();
      const task = describeLaunch();
      const first = await launch(tasks, task);
      expect(await launch(tasks, task)).toBe(first);
      expect(await tasks.findByAttempt(task.attemptId)).toHaveLength(1);
      expect(await launch(tasks, describeLaunch())).not.toBe(first);
    });

    it('stops a task once, and nothing when nobody knows the task', async () => {
      const { tasks, confirmEnd } = await create();
      const { attemptId, ...task } = describeLaunch();
      const taskArn = await launch(tasks, { attemptId, ...task });
      await tasks.stop(taskArn, 'CANCELLED');
      await tasks.stop(taskArn, 'CANCELLED again');
      await tasks.stop(taskArn.replace(/[^/]+$/, '0'.repeat(32)), 'nobody');
      await confirmEnd(taskArn);
      await tasks.stop(taskArn, 'CANCELLED later');
      const ended = { taskArn, lastStatus: 'STOPPED', stoppedReason: 'CANCELLED' };
      expect(await tasks.findByAttempt(attemptId)).toMatchObject([ended]);
      expect(await tasks.find(taskArn)).toMatchObject(ended);
    });

    it('p20 lists live tasks with their attempts, and no stopped one', async () => {
      const { tasks, confirmEnd } = await create();
      const live = describeLaunch();
      const stopped = describeLaunch();
      const liveArn = await launch(tasks, live);
      const stoppedArn = await launch(tasks, stopped);
      await tasks.stop(stoppedArn, 'CANCELLED');
      await confirmEnd(stoppedArn);
      const listed = await tasks.listLive();
      expect(listed).toContainEqual({ taskArn: liveArn, attemptId: live.attemptId });
      expect(listed.map((one) => one.attemptId)).not.toContain(stopped.attemptId);
    });

    it('p20 lists a task that was told to stop until it has ended', async () => {
      const subject = await create();
      const { attemptId, ...task } = describeLaunch();
      const taskArn = await launch(subject.tasks, { attemptId, ...task });
      await subject.tasks.stop(taskArn, 'CANCELLED');
      expect(await subject.tasks.listLive()).toContainEqual({ taskArn, attemptId });
      await subject.confirmEnd(taskArn);
      expect(await subject.tasks.listLive()).not.toContainEqual({ taskArn, attemptId });
    });
  });
}
