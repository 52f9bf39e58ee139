import { setTimeout as delay } from 'node:timers/promises';
import { callControl, type ControlTarget } from '../call-control.ts';
import type { StopCause } from './stop-cause.ts';

export interface ContainerReport {
  name: string;
  lastStatus: 'RUNNING' | 'STOPPED';
  /** Absent when the container never ran. */
  exitCode?: number;
  reason?: string;
}

export type TaskReport =
  | { taskArn: string; lastStatus: 'RUNNING'; containers: ContainerReport[] }
  | ({
      taskArn: string;
      lastStatus: 'STOPPING' | 'STOPPED';
      containers: ContainerReport[];
    } & StopCause);

const attempts = 5;
const retryDelayMs = 200;

/** Tells the emulator what became of a task; tries again, as a lost report would hang a run. */
export async function sendTaskReport(target: ControlTarget, report: TaskReport): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await callControl(target, { path: 'fargate/report', body: report });
      return;
    } catch (error) {
      if (attempt === attempts) throw error;
      await delay(retryDelayMs);
    }
  }
}

/** Lines of a container's output; the emulator puts them where its log configuration says. */
export async function sendLogLines(
  target: ControlTarget,
  lines: { taskArn: string; container: string; lines: string[] },
): Promise<void> {
  await callControl(target, { path: 'fargate/log', body: lines });
}
