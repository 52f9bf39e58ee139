import {
  paginateGetExecutionHistory,
  paginateListExecutions,
  type HistoryEvent,
} from '@aws-sdk/client-sfn';
import pLimit from 'p-limit';
import type { E2eStack } from './use-stack.ts';

export interface ExecutionHistory {
  executionArn: string;
  name: string;
  status: string;
  events: HistoryEvent[];
}

const historiesAtOnce = 8;

/** Histories of every execution of every workflow that `wanted` chooses by name. */
export async function readHistories(
  stack: E2eStack,
  wanted: (name: string) => boolean = () => true,
): Promise<ExecutionHistory[]> {
  const {
    RunWorkflowArn,
    FunctionWorkflowArn,
    FargateWorkflowArn,
    GroupWorkflowArn,
    CloseWorkflowArn,
  } = stack.outputs;
  const found: Omit<ExecutionHistory, 'events'>[] = [];
  for (const stateMachineArn of [
    RunWorkflowArn,
    FunctionWorkflowArn,
    FargateWorkflowArn,
    GroupWorkflowArn,
    CloseWorkflowArn,
  ]) {
    const pages = paginateListExecutions({ client: stack.aws.sfn }, { stateMachineArn });
    for await (const { executions } of pages) {
      for (const { executionArn = '', name = '', status = '' } of executions ?? []) {
        if (wanted(name)) found.push({ executionArn, name, status });
      }
    }
  }
  const limit = pLimit(historiesAtOnce);
  return Promise.all(
    found.map((execution) =>
      limit(async () => ({
        ...execution,
        events: await readHistory(stack, execution.executionArn),
      })),
    ),
  );
}

async function readHistory(stack: E2eStack, executionArn: string): Promise<HistoryEvent[]> {
  const events: HistoryEvent[] = [];
  const pages = paginateGetExecutionHistory({ client: stack.aws.sfn }, { executionArn });
  for await (const page of pages) events.push(...(page.events ?? []));
  return events;
}

/** Every text that a history event carries, with the name of its field. */
export function listPayloads(event: HistoryEvent): { field: string; text: string }[] {
  return Object.values(event)
    .filter((details): details is object => typeof details === 'object' && details !== null)
    .flatMap((details) => Object.entries(details))
    .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    .map(([field, text]) => ({ field, text }));
}
