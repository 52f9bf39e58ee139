import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTransport } from '../../../cli/api/send-request.ts';
import { putObject } from '../../../cli/inputs/put-object.ts';

let server: Server;
let received: string[];

beforeEach(async () => {
  received = [];
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => {
      received.push(Buffer.concat(chunks).toString('utf8'));
      response.writeHead(200, { 'x-amz-version-id': 'v1' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function put(read: () => AsyncGenerator<Buffer> | Buffer[], size: number) {
  const { port } = server.address() as AddressInfo;
  return putObject(createTransport(undefined), {
    url: new URL(`http://127.0.0.1:${String(port)}/store/a`),
    headers: {},
    name: 'a.txt',
    open: async function* () {
      yield* read();
    },
    size,
  });
}

describe('putObject', () => {
  it('sends what was announced', async () => {
    await expect(put(() => [Buffer.from('wor'), Buffer.from('ds')], 5)).resolves.toEqual({
      kind: 'STORED',
      versionId: 'v1',
    });
    expect(received).toEqual(['words']);
  });

  it.each([
    ['fewer', 'word', 'it has 4 instead of 5 bytes now'],
    ['no', '', 'it has 0 instead of 5 bytes now'],
    ['more', 'words!', 'it has more than 5 bytes now'],
  ])('refuses at once when there are %s bytes', async (_case, text, what) => {
    await expect(put(() => [Buffer.from(text)], 5)).rejects.toMatchObject({
      exit: 1,
      message: `a.txt changed while it was sent: ${what}`,
      fix: 'wait until nothing writes to it; then run the same command again',
    });
    expect(received).toEqual([]);
  });

  it('tells a source that breaks from a network that does', async () => {
    let tries = 0;
    const breaking = async function* () {
      tries += 1;
      yield Buffer.from('w');
      await Promise.reject(new Error('the disk broke'));
    };
    await expect(put(breaking, 5)).rejects.toThrow('the disk broke');
    expect(tries).toBe(1);
  });
});
