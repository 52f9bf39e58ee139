import { createSigner } from '../../../cli/api/sign-request.ts';
import type { Problem } from '../../../schemas/problem.ts';
import { uniqueName, type EmulatorCredentials } from '../use-emulator.ts';
import type { E2eStack } from './use-stack.ts';

export interface ApiCall {
  method: 'GET' | 'POST' | 'PUT';
  /** Below the stage, without a leading slash. */
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Root unless given; null sends the call unsigned. */
  as?: EmulatorCredentials | null;
}

export interface ApiAnswer<Body> {
  status: number;
  body: Body;
  contentType: string;
  milliseconds: number;
}

/** One call of the public API, signed unless it is not to be. */
export async function callApi<Body = Problem>(
  stack: E2eStack,
  call: ApiCall,
): Promise<ApiAnswer<Body>> {
  const url = new URL(call.path, stack.outputs.ApiUrl);
  const body = call.body === undefined ? '' : JSON.stringify(call.body);
  const request = {
    method: call.method,
    url,
    headers: { 'content-type': 'application/json', ...call.headers },
    body,
  };
  const credentials = call.as === undefined ? stack.root : call.as;
  const headers =
    credentials === null
      ? request.headers
      : await createSigner(stack.state.region, () => Promise.resolve(credentials))(request);
  const startedAt = performance.now();
  const response = await fetch(url, {
    method: call.method,
    headers,
    ...(body === '' ? {} : { body }),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: (text === '' ? undefined : JSON.parse(text)) as Body,
    contentType: response.headers.get('content-type') ?? '',
    milliseconds: Math.round(performance.now() - startedAt),
  };
}

/** A board of its own for one test file, made by root. */
export async function openBoard(stack: E2eStack, prefix: string): Promise<string> {
  const board = uniqueName(prefix);
  const answer = await callApi(stack, { method: 'PUT', path: `boards/${board}` });
  if (answer.status !== 201) throw new Error(`board ${board}: ${JSON.stringify(answer.body)}`);
  return board;
}
