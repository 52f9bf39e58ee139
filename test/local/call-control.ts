import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { assertLocalEndpoint } from './assert-local-endpoint.ts';
import type { EmulatorState } from './stack-state.ts';

export interface ControlCall {
  path: string;
  body?: unknown;
  timeoutMs?: number;
  signal?: AbortSignal;
}

export type ControlTarget = Pick<EmulatorState, 'endpoint' | 'certificate' | 'controlSecret'>;

const defaultTimeoutMs = 10_000;

/**
 * Calls a private path of the emulator. Only this stack's certificate is trusted, so the secret
 * cannot be sent to another stack that took over the port.
 */
export async function callControl(
  target: ControlTarget,
  { path, body, timeoutMs = defaultTimeoutMs, signal }: ControlCall,
): Promise<unknown> {
  assertLocalEndpoint(target.endpoint);
  const ca = await readFile(target.certificate);
  const agent = new Agent({ ca, keepAlive: false });
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${target.endpoint}/_windlass/${path}`,
      {
        agent,
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'x-windlass-secret': target.controlSecret },
        timeout: timeoutMs,
        ...(signal === undefined ? {} : { signal }),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          if (response.statusCode === 200) resolve(JSON.parse(text));
          else reject(new Error(`emulator: ${path} answered ${String(response.statusCode)}`));
        });
      },
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error(`emulator: no answer to ${path}`)));
    outgoing.on('error', reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
