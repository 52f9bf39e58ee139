import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { constants } from 'node:os';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useStandInApi } from '../../support/stand-in-api/use-stand-in-api.ts';

const stand = useStandInApi();
let silent: Server;

beforeEach(async () => {
  silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  await writeFile(path.join(stand.folder, 'plan.yaml'), 'windlass: 1\n');
});

afterEach(() => {
  silent.closeAllConnections();
  silent.close();
});

describe('a check that waits for an answer', () => {
  it.each([
    ['SIGINT', ['doctor'], 'nothing was changed'],
    ['SIGTERM', ['doctor', '--json'], 'nothing was changed'],
    ['SIGINT', ['plan', 'check', 'plan.yaml', '-b', 'demo'], 'nothing was started or stored'],
    ['SIGTERM', ['plan', 'check', 'plan.yaml', '-b', 'demo'], 'nothing was started or stored'],
  ] as const)('says at %s that it was interrupted: %j', async (signal, words, advice) => {
    const { port } = silent.address() as AddressInfo;
    const env = { WINDLASS_API_URL: `http://127.0.0.1:${String(port)}/v1/` };
    const running = stand.start([...words], { env });
    await once(silent, 'request');
    running.child.kill(signal);
    const ran = await running.ended;
    expect(ran.code).toBe(128 + constants.signals[signal]);
    expect(ran.stderr).toBe(`windlass: interrupted; ${advice}\n`);
    const told = ran.stdout === '' ? undefined : (JSON.parse(ran.stdout) as unknown);
    if (words.includes('--json' as never))
      expect(told).toMatchObject({ error: { code: 'INTERRUPTED', exit: ran.code } });
    else expect(told).toBeUndefined();
  });
});
