import { createSocket, type Socket } from 'node:dgram';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SECRET = 'correct-horse-battery-staple';

/** What stands outside to be found; each is reachable without the sandbox, as a test shows. */
export interface Outside {
  readonly secretFile: string;
  readonly socketPath: string;
  readonly abstractName: string;
  readonly tcpPort: number;
  readonly udpPort: number;
  readonly datagrams: string[];
  readonly connections: string[];
  readonly close: () => void;
}

/** Opens everything; `close` takes it away again. */
export async function standOutside(): Promise<Outside> {
  const folder = mkdtempSync(join(tmpdir(), 'outside-'));
  chmodSync(folder, 0o755);
  const secretFile = join(folder, 'secret');
  writeFileSync(secretFile, SECRET);
  const socketPath = join(folder, 'socket');
  const abstractName = `outside-${String(process.pid)}`;
  const connections: string[] = [];
  const listen = async (target: string | number): Promise<Server> => {
    const server = createServer((client) => {
      connections.push(String(target));
      client.destroy();
    });
    if (typeof target === 'number') server.listen(target, '127.0.0.1');
    else server.listen(target);
    await new Promise((resolve) => server.once('listening', resolve));
    return server;
  };
  const servers = [await listen(socketPath), await listen(`\0${abstractName}`), await listen(0)];
  const datagrams: string[] = [];
  const udp: Socket = createSocket('udp4', (message) => datagrams.push(message.toString()));
  udp.bind(0, '127.0.0.1');
  await new Promise((resolve) => udp.once('listening', resolve));
  const address = servers[2]?.address();
  return {
    secretFile,
    socketPath,
    abstractName,
    tcpPort: typeof address === 'object' && address !== null ? address.port : 0,
    udpPort: udp.address().port,
    datagrams,
    connections,
    close: () => {
      for (const server of servers) server.close();
      udp.close();
      rmSync(folder, { recursive: true });
    },
  };
}
