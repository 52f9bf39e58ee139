import { randomUUID } from 'node:crypto';
import { callApi } from './call-api.ts';
import type { E2eStack } from './use-stack.ts';

/** A task of its own for one test, made by root. */
export async function openTask(stack: E2eStack, board: string, title = 'Brief'): Promise<string> {
  const answer = await callApi<{ task_id: string }>(stack, {
    method: 'POST',
    path: `boards/${board}/tasks`,
    headers: { 'idempotency-key': randomUUID() },
    body: { title },
  });
  if (answer.status !== 201) throw new Error(`task: ${JSON.stringify(answer.body)}`);
  return answer.body.task_id;
}
