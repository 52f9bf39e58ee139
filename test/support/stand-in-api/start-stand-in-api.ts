import { createHash } from 'node:crypto';
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { answerRoute, type StandInAnswer } from './answer-route.ts';
import { checkSignature } from './check-signature.ts';
import { createState, type StandInState } from './stand-in-state.ts';

/** Takes the place of the ordinary answer: a status, a cut connection, or no answer until `release`. */
export type Disturbance =
  | { kind: 'ANSWER'; answer: StandInAnswer }
  | { kind: 'CUT' }
  /** The call is carried out, and its answer never comes. */
  | { kind: 'LOSE' }
  | { kind: 'CUT_AFTER'; bytes: number }
  | { kind: 'HOLD_AFTER'; bytes: number };

export interface StandInApi {
  url: string;
  state: StandInState;
  /** `METHOD /path` of every call that came, in order. */
  calls: string[];
  /** Disturbs the next `times` calls whose `METHOD /path` begins with the text. */
  disturb(begins: string, disturbance: Disturbance, times?: number): void;
  /** Sends the rest of every answer that HOLD_AFTER holds. */
  release(): void;
  /** Resolves when a call whose `METHOD /path` begins with the text has come. */
  waitForCall(begins: string): Promise<void>;
  stop(): Promise<void>;
}

/** A public API and a store of objects in this process, on 127.0.0.1 and a free port. */
export async function startStandInApi(tls?: { key: string; cert: string }): Promise<StandInApi> {
  const state = createState();
  const calls: string[] = [];
  const disturbances: { begins: string; disturbance: Disturbance; left: number }[] = [];
  const held: (() => void)[] = [];
  const waiters: { begins: string; resolve: () => void }[] = [];
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    void serve(request, response).catch((error: unknown) => {
      response.writeHead(500).end(JSON.stringify({ message: String(error) }));
    });
  };
  const server = tls === undefined ? createHttp(listener) : createHttps(tls, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `${tls === undefined ? 'http' : 'https'}://localhost:${String(port)}`;

  function tell(label: string): void {
    calls.push(label);
    for (const waiter of waiters) if (label.startsWith(waiter.begins)) waiter.resolve();
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const url = new URL(request.url ?? '/', origin);
    const label = `${request.method ?? ''} ${url.pathname.replace(/^\/stage/, '')}`;
    tell(label);
    const found = disturbances.find((entry) => entry.left > 0 && label.startsWith(entry.begins));
    if (found !== undefined) found.left -= 1;
    const disturbance = found?.disturbance;
    if (disturbance?.kind === 'CUT') return void request.socket.destroy();
    if (disturbance?.kind === 'ANSWER') return send(response, disturbance.answer);
    if (url.pathname.startsWith('/store/'))
      return serveObject(request, response, { url, body, disturbance });
    const text = body.toString('utf8');
    const fault = await checkSignature(request, text);
    if (fault !== undefined) return send(response, { status: 403, body: { message: fault } });
    const call = {
      method: request.method ?? '',
      path: url.pathname.replace(/^\/stage/, ''),
      query: url.searchParams,
      headers: request.headers,
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
      storeUrl: origin,
    };
    const answer = answerRoute(state, call);
    if (disturbance?.kind === 'LOSE') return void request.socket.destroy();
    send(response, answer);
  }

  function serveObject(
    request: IncomingMessage,
    response: ServerResponse,
    { url, body, disturbance }: { url: URL; body: Buffer; disturbance: Disturbance | undefined },
  ): void {
    if (request.headers.authorization !== undefined) return void response.writeHead(400).end();
    const [, , kind, run = '', index = ''] = url.pathname.split('/');
    if (request.method === 'PUT') {
      const key = decodeURI(url.pathname.slice('/store/'.length));
      const checksum = createHash('sha256').update(body).digest('base64');
      if (request.headers['x-amz-checksum-sha256'] !== checksum)
        return void response.writeHead(400).end('<Error><Code>BadDigest</Code></Error>');
      if (state.objects.has(key)) return void response.writeHead(412).end();
      state.objects.set(key, { bytes: body, versionId: `v${String(state.objects.size + 1)}` });
      if (disturbance?.kind === 'LOSE') return void request.socket.destroy();
      return void response
        .writeHead(200, { 'x-amz-version-id': state.objects.get(key)!.versionId })
        .end();
    }
    const file =
      kind === 'deliverable'
        ? state.deliverables.get(run)?.[Number(index)]
        : state.objects.get(decodeURI(url.pathname.slice('/store/'.length)));
    if (file === undefined) return void response.writeHead(404).end();
    const from = Number(/^bytes=([0-9]+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const bytes = file.bytes.subarray(from);
    response.writeHead(from === 0 ? 200 : 206, { 'content-length': bytes.length });
    if (disturbance === undefined) return void response.end(bytes);
    if (disturbance.kind !== 'CUT_AFTER' && disturbance.kind !== 'HOLD_AFTER') return;
    response.write(bytes.subarray(0, disturbance.bytes), () => {
      if (disturbance.kind === 'CUT_AFTER') request.socket.destroy();
      else held.push(() => void response.end(bytes.subarray(disturbance.bytes)));
      tell(`HELD ${url.pathname}`);
    });
  }

  return {
    url: `${origin}/stage`,
    state,
    calls,
    disturb: (begins, disturbance, times = 1) => {
      disturbances.push({ begins, disturbance, left: times });
    },
    release: () => {
      for (const send of held.splice(0)) send();
    },
    waitForCall: (begins) =>
      new Promise((resolve) => {
        if (calls.some((label) => label.startsWith(begins))) resolve();
        else waiters.push({ begins, resolve });
      }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function send(response: ServerResponse, { status, body, headers }: StandInAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
