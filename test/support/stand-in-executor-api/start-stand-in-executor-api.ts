import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ClaimAnswer, HeartbeatAnswer } from '../../../schemas/executor-api.ts';
import { composeClaim, inventSecrets, type ClaimSecrets } from './compose-claim.ts';

/** Takes the place of an ordinary answer, or of its way back. */
export type Disturbance =
  | { kind: 'ANSWER'; status: number; body: unknown; headers?: Record<string, string> }
  /** Does what was asked, and the answer is lost. */
  | { kind: 'LOSE_ANSWER' }
  | { kind: 'LOSE_CALL' }
  /** Never answers. */
  | { kind: 'HANG' }
  /** Never ends its answer. */
  | { kind: 'FLOOD' };

export interface StandInExecutorApi {
  url: string;
  secrets: ClaimSecrets;
  /** What the next claim answers; to be changed by a test. */
  claim: ClaimAnswer;
  /** The controller's time in the answer to a claim, where it is not that of this machine. */
  claimDate: Date | undefined;
  /** Further headers of every input. */
  inputHeaders: Record<string, string>;
  /** Bytes of inputs by key. */
  inputs: Map<string, Buffer>;
  /** What was put, by key: one entry a version. */
  objects: Map<string, { bytes: Buffer; versionId: string; accessKey: string }[]>;
  heartbeat: HeartbeatAnswer;
  /** Every call in order: `/claim`, `GET key`, `PUT key` … with its text. */
  calls: { label: string; text: string }[];
  countCalls(begins: string): number;
  disturb(begins: string, disturbance: Disturbance, times?: number): void;
  /** Resolves when that many calls have come whose label begins so. */
  waitForCalls(begins: string, count?: number): Promise<void>;
  stop(): Promise<void>;
}

/** The private API and S3 in one server on 127.0.0.1, with the same answers to repeated calls as the real ones. */
export async function startStandInExecutorApi(
  inputs: ReadonlyMap<string, Buffer>,
): Promise<StandInExecutorApi> {
  const disturbances: { begins: string; disturbance: Disturbance; left: number }[] = [];
  const waiters: { begins: string; count: number; resolve: () => void }[] = [];
  const server = createServer((request, response) => {
    void serve(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const secrets = inventSecrets();
  let nonce: string | undefined;
  let beaten = false;
  let submitted: string | undefined;

  const api: StandInExecutorApi = {
    url,
    secrets,
    claim: composeClaim(url, secrets, inputs),
    claimDate: undefined,
    inputHeaders: {},
    inputs: new Map(inputs),
    objects: new Map(),
    heartbeat: { answer: 'CONTINUE' },
    calls: [],
    countCalls: (begins) => api.calls.filter(({ label }) => label.startsWith(begins)).length,
    disturb: (begins, disturbance, times = 1) => {
      disturbances.push({ begins, disturbance, left: times });
    },
    waitForCalls: (begins, count = 1) =>
      new Promise((resolve) => {
        waiters.push({ begins, count, resolve });
        tellWaiters();
      }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  function tellWaiters(): void {
    for (const waiter of waiters) {
      if (api.countCalls(waiter.begins) >= waiter.count) waiter.resolve();
    }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { pathname } = new URL(request.url ?? '/', url);
    const key = pathname.startsWith('/store/') ? pathname.slice('/store/'.length) : undefined;
    const label = key === undefined ? pathname : `${request.method ?? ''} ${key}`;
    api.calls.push({ label, text: key === undefined ? body.toString('utf8') : '' });
    const found = disturbances.find((entry) => entry.left > 0 && label.startsWith(entry.begins));
    if (found !== undefined) found.left -= 1;
    const disturbance = found?.disturbance;
    try {
      switch (disturbance?.kind) {
        case 'LOSE_CALL':
          return void request.socket.destroy();
        case 'HANG':
          return;
        case 'FLOOD':
          return flood(response);
        case 'ANSWER':
          return send(response, disturbance.status, disturbance.body, disturbance.headers);
        case 'LOSE_ANSWER':
        case undefined:
      }
      if (disturbance !== undefined) response.end = () => request.socket.destroy() as never;
      if (key === undefined) answerCall(response, pathname, body.toString('utf8'));
      else if (request.method === 'PUT') putObject(request, response, key, body);
      else sendInput(response, key);
    } finally {
      tellWaiters();
    }
  }

  function answerCall(response: ServerResponse, route: string, text: string): void {
    const body = JSON.parse(text) as Record<string, string>;
    const refuse = (status: number, code: string) => send(response, status, { status, code });
    if (body['attempt_id'] !== api.claim.request.attempt_id) return refuse(404, 'UNKNOWN_ATTEMPT');
    if (route === '/claim') {
      if (body['claim_ticket'] !== secrets.ticket) return refuse(403, 'TICKET_REFUSED');
      if (beaten || (nonce !== undefined && nonce !== body['nonce']))
        return refuse(409, 'ALREADY_CLAIMED');
      nonce = body['nonce'];
      const date = (api.claimDate ?? new Date()).toUTCString();
      return send(response, 200, api.claim, { date });
    }
    if (body['session_key'] !== secrets.sessionKey) return refuse(403, 'SESSION_REFUSED');
    if (route === '/heartbeat') {
      beaten = true;
      return send(response, 200, api.heartbeat);
    }
    if (route === '/renew') {
      const { credentials, inputs: offers } = api.claim;
      return send(response, 200, {
        credentials: {
          ...credentials,
          access_key_id: 'ASIARENEWED',
          expires_at: new Date(Date.now() + 3_600_000).toISOString(),
        },
        inputs: offers.map((offer) => ({ ...offer, url: offer.url.replace('=first', '=second') })),
      });
    }
    if (submitted !== undefined && submitted !== text) return refuse(409, 'TOKEN_USED');
    submitted = text;
    send(response, 200, { answer: 'RETURNED' });
  }

  function sendInput(response: ServerResponse, key: string): void {
    const bytes = api.inputs.get(key);
    if (bytes === undefined) return void response.writeHead(404).end('<Code>NoSuchKey</Code>');
    const headers = { 'content-length': bytes.length, ...api.inputHeaders };
    response.writeHead(200, headers).end(bytes);
  }

  function putObject(
    request: IncomingMessage,
    response: ServerResponse,
    key: string,
    bytes: Buffer,
  ): void {
    const checksum = createHash('sha256').update(bytes).digest('base64');
    if (request.headers['x-amz-checksum-sha256'] !== checksum)
      return void response.writeHead(400).end('<Error><Code>BadDigest</Code></Error>');
    const versions = api.objects.get(key) ?? [];
    if (versions.length > 0 && request.headers['if-none-match'] === '*')
      return void response.writeHead(412).end('<Error><Code>PreconditionFailed</Code></Error>');
    const versionId = `v${String(versions.length + 1)}`;
    const accessKey = /Credential=([^/]+)/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    api.objects.set(key, [...versions, { bytes, versionId, accessKey }]);
    response.writeHead(200, { 'x-amz-version-id': versionId }).end();
  }

  return api;
}

function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

function flood(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const block = Buffer.alloc(256 * 1024, 0x20);
  const write = (): void => {
    while (!response.destroyed && response.write(block));
  };
  response.on('drain', write);
  write();
}
