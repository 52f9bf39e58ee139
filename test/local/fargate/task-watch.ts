import { access, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { callControl } from '../call-control.ts';
import { isRunning } from '../process-identity.ts';
import type { FargateSettings } from './fargate-settings.ts';
import { RunningTask } from './running-task.ts';
import { cannotStartContainer, hostLost, stoppedByUser } from './stop-cause.ts';
import { liveTasksSchema, readTaskId, type TaskRecord } from './task-record.ts';
import { sendTaskReport, type TaskReport } from './task-report.ts';

const longPollSeconds = 15;
const longPollTimeoutMs = 25_000;
const retryDelayMs = 200;

/** Runs what the emulator's task records ask for; returns when the emulator has ended. */
export async function watchTasks(settings: FargateSettings): Promise<void> {
  const tasks = new Map<string, RunningTask>();
  const send = (report: TaskReport) => sendTaskReport(settings.emulator, report);
  let change = -1;
  while (await isRunning(settings.emulator.emulator)) {
    try {
      const answer = liveTasksSchema.parse(
        await callControl(settings.emulator, {
          path: `fargate/tasks?after=${String(change)}&wait=${String(longPollSeconds)}`,
          timeoutMs: longPollTimeoutMs,
        }),
      );
      for (const record of answer.tasks) await followRecord(record, { tasks, settings, send });
      change = answer.change;
    } catch (error) {
      console.error(error);
      await delay(retryDelayMs);
    }
  }
}

interface Watch {
  tasks: Map<string, RunningTask>;
  settings: FargateSettings;
  send: (report: TaskReport) => Promise<void>;
}

async function followRecord(record: TaskRecord, watch: Watch): Promise<void> {
  const { taskArn, desiredStatus } = record;
  const known = watch.tasks.get(taskArn);
  if (known !== undefined) {
    if (desiredStatus === 'STOPPED') void known.stop(stoppedByUser);
    return;
  }
  const folder = path.join(watch.settings.tasksFolder, readTaskId(taskArn));
  const wasStarted = await access(folder).then(
    () => true,
    () => false,
  );
  if (wasStarted || record.lastStatus === 'RUNNING') {
    await watch.send({ taskArn, lastStatus: 'STOPPED', containers: [], ...hostLost });
    return;
  }
  if (desiredStatus === 'STOPPED') {
    await watch.send({ taskArn, lastStatus: 'STOPPED', containers: [], ...stoppedByUser });
    return;
  }
  await mkdir(folder, { recursive: true });
  const task = new RunningTask(record, watch.settings, watch.send);
  watch.tasks.set(taskArn, task);
  task
    .run()
    .catch(async (error: unknown) => {
      console.error(taskArn, error);
      const cause = cannotStartContainer(error instanceof Error ? error.message : String(error));
      await watch.send({ taskArn, lastStatus: 'STOPPED', containers: [], ...cause });
    })
    .catch((error: unknown) => {
      console.error(taskArn, error);
    })
    .finally(() => watch.tasks.delete(taskArn));
}
