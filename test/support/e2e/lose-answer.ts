import { createServer, request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import type { E2eStack } from './use-stack.ts';

export interface LossyPath {
  /** The public API, by way of this path. */
  apiUrl: string;
  /** `METHOD /path` of each call that was carried out, lost answers too. */
  carried: string[];
  stop: () => Promise<void>;
}

/** Carries calls to the stack's API and cuts the connection instead of the first answer to each call that is named. */
export async function openLossyPath(
  stack: E2eStack,
  loses: (call: string) => boolean,
): Promise<LossyPath> {
  const upstream = new URL(stack.outputs.ApiUrl);
  const ca = await readFile(stack.state.certificate);
  const carried: string[] = [];
  const lost = new Set<string>();
  const send = upstream.protocol === 'https:' ? requestHttps : requestHttp;
  const server = createServer((incoming, outgoing) => {
    const call = `${incoming.method ?? ''} ${incoming.url ?? ''}`;
    const forwarded = send(
      {
        host: upstream.hostname,
        port: upstream.port,
        method: incoming.method,
        path: incoming.url,
        headers: incoming.headers,
        ca,
      },
      (answer: IncomingMessage) => {
        carried.push(call);
        if (loses(call) && !lost.has(call)) {
          lost.add(call);
          answer.resume();
          incoming.socket.destroy();
          return;
        }
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    forwarded.on('error', () => incoming.socket.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    apiUrl: `http://127.0.0.1:${String(port)}${upstream.pathname}`,
    carried,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
