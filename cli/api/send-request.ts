import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { ClientRequest, IncomingMessage } from 'node:http';

/** API Gateway itself gives up after 29 s. https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
const requestTimeoutMilliseconds = 30_000;

interface OutgoingRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  signal?: AbortSignal | undefined;
}

/** Opens HTTP exchanges over kept connections; knows nothing of what they mean. */
export interface Transport {
  /** Gives the response when its head is there. `write` sends the body and ends the request; without it there is no body. */
  open(
    request: OutgoingRequest,
    write?: (outgoing: ClientRequest) => void,
  ): Promise<IncomingMessage>;
}

/** @param certificate PEM text of the only authority to trust; undefined for the system's own. */
export function createTransport(certificate: string | undefined): Transport {
  const https = new HttpsAgent({
    keepAlive: true,
    ...(certificate !== undefined && { ca: certificate }),
  });
  const http = new HttpAgent({ keepAlive: true });
  return {
    open: ({ method, url, headers, signal }, write) =>
      new Promise((resolve, reject) => {
        const options = { method, headers, ...(signal !== undefined && { signal }) };
        const outgoing =
          url.protocol === 'https:'
            ? requestHttps(url, { ...options, agent: https })
            : requestHttp(url, { ...options, agent: http });
        // Silence on the socket, not the whole exchange: a slow upload that moves is alive.
        outgoing.setTimeout(requestTimeoutMilliseconds, () => {
          outgoing.destroy(new Error('no answer for 30 s'));
        });
        outgoing.on('response', resolve);
        outgoing.on('error', reject);
        // One that is given up before it has a connection closes without an error.
        outgoing.on('close', () => {
          reject(new Error('the request was given up'));
        });
        if (write === undefined) outgoing.end();
        else write(outgoing);
      }),
  };
}

/** The whole body as text. Throws when it is longer than `maxBytes` or the connection breaks first. */
export async function readText(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) {
      response.destroy();
      throw new Error(`the answer is longer than ${String(maxBytes)} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
