import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { DescribeTasksCommand, ListTasksCommand, type Task } from '@aws-sdk/client-ecs';
import {
  findProcessesByVariable,
  identifyProcess,
  isRunning,
  type ProcessIdentity,
} from '../../local/process-identity.ts';
import { readStackState, resolveStackPaths } from '../../local/stack-state.ts';
import { readTaskId } from '../../local/fargate/task-record.ts';
import { waitUntil } from '../../local/wait-until.ts';
import { waitFor } from './follow-run.ts';
import type { E2eStack } from './use-stack.ts';

/** Every task that was ever started for an attempt. */
export async function findTasks(stack: E2eStack, attemptId: string): Promise<Task[]> {
  const { ecs } = stack.aws;
  const cluster = stack.outputs.ClusterArn;
  const arns = new Set<string>();
  for (const desiredStatus of ['RUNNING', 'STOPPED'] as const) {
    const listed = await ecs.send(new ListTasksCommand({ cluster, desiredStatus }));
    for (const arn of listed.taskArns ?? []) arns.add(arn);
  }
  const tasks: Task[] = [];
  const all = [...arns];
  for (let from = 0; from < all.length; from += 100) {
    const some = all.slice(from, from + 100);
    const described = await ecs.send(new DescribeTasksCommand({ cluster, tasks: some }));
    tasks.push(...(described.tasks ?? []));
  }
  return tasks.filter(({ startedBy }) => startedBy === attemptId);
}

export async function awaitTask(stack: E2eStack, attemptId: string): Promise<Task> {
  return waitFor(`a task of ${attemptId}`, async () => (await findTasks(stack, attemptId))[0]);
}

/** Processes of both containers and of the sandboxed command, whose environment names nothing. */
export async function listTaskProcesses(
  stack: E2eStack,
  attemptId: string,
): Promise<ProcessIdentity[]> {
  const [task] = await findTasks(stack, attemptId);
  if (task?.taskArn === undefined) return [];
  const folder = path.join(resolveStackPaths(stack.state.name).tasks, readTaskId(task.taskArn));
  const roots = await findProcessesByVariable('WINDLASS_EXCHANGE', path.join(folder, 'exchange'));
  const children = await readChildren();
  const found = new Map(roots.map((root) => [root.pid, root]));
  const open = roots.map(({ pid }) => pid);
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    for (const child of children.get(pid) ?? []) {
      if (found.has(child)) continue;
      const identity = await identifyProcess(child).catch(() => undefined);
      if (identity === undefined) continue;
      found.set(child, identity);
      open.push(child);
    }
  }
  return [...found.values()];
}

async function readChildren(): Promise<Map<number, number[]>> {
  const children = new Map<number, number[]>();
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const status = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
    const parent = Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1]);
    if (Number.isNaN(parent)) continue;
    children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  return children;
}

/** The process of the task whose last argument ends with this file, the one that does the work and not its wrapper. */
export async function awaitTaskProcess(
  stack: E2eStack,
  attemptId: string,
  script: string,
): Promise<ProcessIdentity> {
  return waitFor(`${script} of ${attemptId}`, async () => {
    for (const candidate of await listTaskProcesses(stack, attemptId)) {
      const words = await readFile(`/proc/${String(candidate.pid)}/cmdline`, 'utf8').catch(
        () => '',
      );
      const [program = '', ...rest] = words.split('\0').filter((word) => word !== '');
      if (program.endsWith('/node') && rest.at(-1)?.endsWith(script) === true) return candidate;
    }
    return undefined;
  });
}

/** The same, halted: it is at work for as long as a test needs. */
export async function holdTaskProcess(
  stack: E2eStack,
  attemptId: string,
  script: string,
): Promise<ProcessIdentity> {
  const found = await awaitTaskProcess(stack, attemptId, script);
  process.kill(found.pid, 'SIGSTOP');
  return found;
}

export async function killAtOnce(victim: ProcessIdentity): Promise<void> {
  process.kill(victim.pid, 'SIGKILL');
  // Until it is gone, whoever looks takes it for alive.
  await waitUntil(async () => !(await isRunning(victim)), {
    timeoutMs: 10_000,
    intervalMs: 10,
    what: `the end of process ${String(victim.pid)}`,
  });
}

export async function listAlive(processes: ProcessIdentity[]): Promise<ProcessIdentity[]> {
  const alive = await Promise.all(processes.map(isRunning));
  return processes.filter((_, index) => alive[index]);
}

/** Local Fargate as it runs now: a test may have restarted it. */
export async function findFargate(stack: E2eStack): Promise<ProcessIdentity> {
  const state = await readStackState(stack.state.name);
  if (state?.fargate === undefined) throw new Error('local Fargate is not up');
  return state.fargate;
}

/** While the work goes on, tasks are recorded and nobody starts them. */
export async function withFargateHeld<T>(stack: E2eStack, work: () => Promise<T>): Promise<T> {
  const { pid } = await findFargate(stack);
  process.kill(pid, 'SIGSTOP');
  try {
    return await work();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}
