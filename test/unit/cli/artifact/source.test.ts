import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, open, symlink, truncate, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { describe, expect, it } from 'vitest';
import { openSource } from '../../../../cli/artifact/source/open-source.ts';
import { measureSource, readMeasured } from '../../../../cli/artifact/source/read-source.ts';
import { expectCode } from './setting/expect-code.ts';
import { digest } from './setting/in-memory-transport.ts';
import { useFolder } from './setting/use-folder.ts';
import { waitUntil } from './setting/wait-until.ts';

const cap = 26_214_400;
const folder = useFolder();

async function readAll(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

describe('a source', () => {
  it('A1 is read to the byte', async () => {
    const bytes = Buffer.alloc(1_700_001, 'ä\u0000\n');
    await writeFile(folder.at('a.bin'), bytes);
    await using source = await openSource(folder.at('a.bin'));
    const measure = await measureSource(source);
    expect(measure).toEqual({ size: bytes.length, sha256: digest(bytes) });
    expect((await readAll(readMeasured(source, measure))).equals(bytes)).toBe(true);
  });

  it('A29 may be empty, and a link to a file', async () => {
    await writeFile(folder.at('empty'), '');
    await symlink('empty', folder.at('link'));
    await using source = await openSource(folder.at('link'));
    const measure = await measureSource(source);
    expect(measure).toEqual({ size: 0, sha256: digest('') });
    expect(await readAll(readMeasured(source, measure))).toHaveLength(0);
  });

  it('A29 may not be missing, a folder, a FIFO, a device, a socket, or a link to one of them', async () => {
    execFileSync('mkfifo', [folder.at('fifo')]);
    await symlink('fifo', folder.at('to-fifo'));
    await symlink('nowhere', folder.at('dangling'));
    await symlink('loop', folder.at('loop'));
    await symlink('/dev/zero', folder.at('to-device'));
    await writeFile(folder.at('file'), '');
    const server = net.createServer().listen(folder.at('socket'));
    const refused = ['nope', '.', 'fifo', 'to-fifo', 'dangling', 'loop', 'to-device', 'socket'];
    for (const name of [...refused, 'file/', 'file/x', 'x'.repeat(300)])
      await expectCode(openSource(`${folder.path}/${name}`), 'artifact_source_invalid');
    await expectCode(openSource('/dev/null'), 'artifact_source_invalid');
    await expectCode(openSource(''), 'artifact_source_invalid');
    server.close();
  });

  it('A17 A28 may have 25 MiB and not a byte more', async () => {
    await writeFile(folder.at('big'), '');
    await truncate(folder.at('big'), cap);
    await using source = await openSource(folder.at('big'));
    expect(await measureSource(source)).toMatchObject({ size: cap });
    await truncate(folder.at('big'), cap + 1);
    await expectCode(measureSource(source), 'artifact_too_large');
  });

  it('A29 is not opened when it is a FIFO: who waits there to write goes on waiting', async () => {
    execFileSync('mkfifo', [folder.at('fifo')]);
    const writer = spawn('sh', ['-c', 'echo > started; echo > fifo; echo > opened'], {
      cwd: folder.path,
    });
    await waitUntil('the writer waits', () => existsSync(folder.at('started')));
    await expectCode(openSource(folder.at('fifo')), 'artifact_source_invalid');
    expect(existsSync(folder.at('opened'))).toBe(false);
    writer.kill('SIGKILL');
  });

  it('A17 A28 is not read beyond the cap when it grows under the reader', async () => {
    let read = 0;
    const growing = {
      stat: async () => await Promise.resolve({ size: 0 }),
      read: async (buffer: Buffer) => {
        read += buffer.length;
        return await Promise.resolve({ bytesRead: buffer.length });
      },
    };
    await expectCode(measureSource(growing as never), 'artifact_too_large');
    expect(read).toBeLessThan(cap + 1_000_000);
  });

  it('A17 is counted, also where its size says nothing', async () => {
    await using status = await open('/proc/self/status');
    expect((await status.stat()).size).toBe(0);
    const { size } = await measureSource(status);
    expect(size).toBeGreaterThan(0);
  });

  it.each([
    ['grows', async (path: string) => await appendFile(path, 'x')],
    ['shrinks', async (path: string) => await truncate(path, 1_600_000)],
    [
      'is written over',
      async (path: string) => {
        await using file = await open(path, 'r+');
        await file.write('x', 1_650_000);
      },
    ],
  ])('A26 never arrives whole when it %s after it was measured', async (_how, change) => {
    const path = folder.at('a.bin');
    await writeFile(path, Buffer.alloc(1_700_000));
    await using source = await openSource(path);
    const measure = await measureSource(source);
    await change(path);
    let received = 0;
    const reading = (async () => {
      for await (const chunk of readMeasured(source, measure)) received += chunk.length;
    })();
    await expectCode(reading, 'artifact_integrity_failed');
    expect(received).toBeLessThan(1_600_000);
  });

  it('A1 stays the file that was opened when another takes its name', async () => {
    const path = folder.at('a.txt');
    await writeFile(path, 'first');
    await using source = await openSource(path);
    const measure = await measureSource(source);
    execFileSync('sh', ['-c', 'printf second > b && mv b a.txt'], { cwd: folder.path });
    expect((await readAll(readMeasured(source, measure))).toString()).toBe('first');
  });
});
