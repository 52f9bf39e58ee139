import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { useStandInApi } from '../../support/stand-in-api/use-stand-in-api.ts';

const stand = useStandInApi();

/** A program in the place of the one that keeps local stacks; it prints these lines and ends so. */
async function playProgram(
  lines: unknown[],
  end = 'process.exitCode = 0',
): Promise<{ env: Record<string, string> }> {
  const file = path.join(stand.folder, 'program.mjs');
  const printed = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  await writeFile(
    file,
    `import { writeSync } from 'node:fs';
writeSync(2, JSON.stringify(process.argv.slice(2)) + '\\n');
for (const line of ${JSON.stringify(printed)}) writeSync(1, line + '\\n');
${end};
`,
  );
  return { env: { WINDLASS_LOCAL_PROGRAM: file } };
}

describe('local', () => {
  it('up shows each step with its time and what to do next', async () => {
    const options = await playProgram([
      { type: 'progress', step: 'emulator', status: 'started' },
      { type: 'progress', step: 'emulator', status: 'done', seconds: 2.04 },
      'a line of some tool',
      { type: 'result', name: 'second', emulator: 'up' },
    ]);
    const ran = await stand.run(['local', 'up', '--name', 'second'], options);
    expect(ran).toMatchObject({ code: 0, stdout: 'the local stack "second" is up\n' });
    expect(ran.stderr).toContain('["up","--name","second","--json"]');
    expect(ran.stderr).toContain('✓ emulator (2.0 s)');
    expect(ran.stderr).toContain('a line of some tool');
    expect(ran.stderr).toContain('windlass board create demo --stack second');
  });

  it('prints the result alone with --json', async () => {
    const options = await playProgram([
      { type: 'progress', step: 'emulator', status: 'started' },
      { type: 'result', name: 'default', emulator: 'down' },
    ]);
    const ran = await stand.run(['local', 'down', '--json'], options);
    expect(JSON.parse(ran.stdout)).toEqual({ name: 'default', emulator: 'down' });
  });

  it('exits 1 with the words of the program when it fails', async () => {
    const options = await playProgram(
      [
        { type: 'progress', step: 'deploy', status: 'failed', seconds: 1 },
        { type: 'error', message: 'the stack is locked' },
      ],
      'process.exitCode = 1',
    );
    const ran = await stand.run(['local', 'up'], options);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('✗ deploy');
    expect(ran.stderr).toContain('local up failed: the stack is locked');
  });

  it.each([
    ['ends without a result', 'process.exitCode = 0'],
    ['is killed', 'process.kill(process.pid, "SIGKILL")'],
  ])('exits 1 when the program %s', async (_case, end) => {
    const options = await playProgram([{ type: 'progress', step: 'x', status: 'done' }], end);
    expect((await stand.run(['local', 'up'], options)).code).toBe(1);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'passes %s on to the program, waits for it, and exits as shells report it',
    async (signal) => {
      const options = await playProgram(
        [{ type: 'progress', step: 'emulator', status: 'started' }],
        `process.on('${signal}', () => { writeSync(2, 'tidied up\\n'); process.exit(${String(128 + constants.signals[signal])}); });
writeSync(1, 'ready\\n');
setInterval(() => {}, 1000)`,
      );
      const running = stand.start(['local', 'up'], options);
      await new Promise<void>((resolve) => {
        running.child.stderr?.on('data', (chunk: Buffer) => {
          if (chunk.toString().includes('ready')) resolve();
        });
      });
      running.child.kill(signal);
      const ran = await running.ended;
      expect(ran.code).toBe(128 + constants.signals[signal]);
      expect(ran.stderr).toContain('tidied up');
      expect(ran.stderr).toContain('windlass local down --name default');
    },
  );

  it('env prints lines that a shell reads back exactly, whatever is in the values', async () => {
    const value = `a'b "c" $HOME \`id\` \\ *`;
    const options = await playProgram([{ type: 'result', environment: { AWS_X: value } }]);
    const ran = await stand.run(['local', 'env'], options);
    expect(ran.code).toBe(0);
    const script = `${ran.stdout}\nprintf %s "$AWS_X"`;
    const { stdout } = await promisify(execFile)('sh', ['-c', script]);
    expect(stdout).toBe(value);
  });

  it('env prints nothing for a name that is no variable', async () => {
    const options = await playProgram([{ type: 'result', environment: { 'X; rm': '1' } }]);
    const ran = await stand.run(['local', 'env'], options);
    expect(ran).toMatchObject({ code: 3, stdout: '' });
  });

  it('status leaves out what is named like a secret', async () => {
    const options = await playProgram([
      {
        type: 'result',
        name: 'default',
        secretAccessKey: 'hidden',
        outputs: { a: { ApiUrl: 'u' } },
      },
    ]);
    const ran = await stand.run(['local', 'status'], options);
    expect(ran.stdout).toBe('name: default\noutputs.a.ApiUrl: u\n');
  });

  it('understands the real program', async () => {
    const ran = await stand.run(['local', 'status', '--name', 'none-of-this-name', '--json']);
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({ name: 'none-of-this-name', emulator: 'down' });
    const env = await stand.run(['local', 'env', '--name', 'none-of-this-name']);
    expect(env.code).toBe(1);
    expect(env.stderr).toContain('is not up');
  });
});
