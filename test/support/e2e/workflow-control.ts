import { readFile, readdir } from 'node:fs/promises';
import { InvokeCommand } from '@aws-sdk/client-lambda';
import { StopExecutionCommand } from '@aws-sdk/client-sfn';
import { waitFor } from './follow-run.ts';
import type { E2eStack } from './use-stack.ts';

/** A fifth of a second. */
const busyTicks = 20;

const executionArn = (machineArn: string, name: string) =>
  `${machineArn.replace(':stateMachine:', ':execution:')}:${name}`;

/** As an operator does it in the console. */
export async function stopRunWorkflow(
  stack: E2eStack,
  runId: string,
  generation: number,
  cause = '',
): Promise<void> {
  const name = `${runId}-g${String(generation)}`;
  await stack.aws.sfn.send(
    new StopExecutionCommand({
      executionArn: executionArn(stack.outputs.RunWorkflowArn, name),
      cause,
    }),
  );
}

export async function stopAttemptWorkflow(stack: E2eStack, attemptId: string): Promise<void> {
  await stack.aws.sfn.send(
    new StopExecutionCommand({
      executionArn: executionArn(stack.outputs.FargateWorkflowArn, attemptId),
    }),
  );
}

/** Calls a function of the controller as its rule does; gives what it answered. */
export async function invoke(
  stack: E2eStack,
  name: string,
  payload: unknown = {},
): Promise<unknown> {
  const answer = await stack.aws.lambda.send(
    new InvokeCommand({
      FunctionName: `windlass-${name}`,
      Payload: Buffer.from(JSON.stringify(payload)),
    }),
  );
  const text = Buffer.from(answer.Payload ?? []).toString('utf8');
  if (answer.FunctionError !== undefined) throw new Error(`${name}: ${text}`);
  return JSON.parse(text) as unknown;
}

/** Process ids of the environments of one function, of this stack alone. */
export async function listFunctionProcesses(stack: E2eStack, name: string): Promise<number[]> {
  const code = `${stack.state.temporaryFolder}/ministack-lambda-windlass-${name}-`;
  const found: number[] = [];
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const words = await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => '');
    if (words.split('\0').some((word) => word.startsWith(code))) found.push(Number(entry));
  }
  return found;
}

/** Processor time that a process has used, in ticks of the kernel; undefined when it is gone. */
async function readTicks(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${String(pid)}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  // The name in parentheses may hold spaces; user and system time are the 12th and 13th word after it.
  const words = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(words[11]) + Number(words[12]);
}

/** The environment of a function that computes now: its process id, once it has used a fifth of a second since the call. */
export async function findBusyProcess(stack: E2eStack, name: string): Promise<number> {
  const before = new Map<number, number>();
  return waitFor(`${name} at work`, async () => {
    for (const pid of await listFunctionProcesses(stack, name)) {
      const ticks = await readTicks(pid);
      if (ticks === undefined) continue;
      const first = before.get(pid);
      if (first === undefined) before.set(pid, ticks);
      else if (ticks - first >= busyTicks) return pid;
    }
    return undefined;
  });
}
