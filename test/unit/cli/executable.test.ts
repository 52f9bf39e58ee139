import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { groups, singles } from '../../../cli/catalogue.ts';
import { runWindlass } from '../../support/stand-in-api/run-windlass.ts';

const commands = [
  ...Object.entries(groups).flatMap(([group, { verbs }]) =>
    Object.keys(verbs).map((verb) => [group, verb]),
  ),
  ...Object.keys(singles).map((name) => [name]),
];

/** Makes the launcher believe that it runs on Node 20. */
const pretendOldNode = `--import=data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.11.0'}})`;

describe('the executable', () => {
  it('prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(await runWindlass(['--version'])).toEqual({
      code: 0,
      signal: null,
      stdout: `${version}\n`,
      stderr: '',
    });
  });

  it.each(commands)('has help with examples for %s %s', async (...words) => {
    const named = words.filter((word) => typeof word === 'string');
    const help = await runWindlass([...named, '--help']);
    expect(help.code).toBe(0);
    expect(help.stderr).toBe('');
    expect(help.stdout).toContain(`Usage: windlass ${named.join(' ')}`);
    expect(help.stdout).toContain('Examples:');
    expect(await runWindlass(['help', ...named])).toEqual(help);
  });

  it('documents its exit statuses', async () => {
    const { stdout } = await runWindlass(['--help']);
    for (const status of [0, 1, 2, 3, 4, 70, 130])
      expect(stdout).toMatch(new RegExp(`^  ${String(status)} +\\S`, 'm'));
  });

  it.each([
    [['doctr'], 'Did you mean doctor?'],
    [['run', 'strat'], 'Did you mean start?'],
    [['run', 'list', '--bord', 'x'], 'Did you mean --board?'],
    [['help', 'nonsense'], "unknown command 'nonsense'"],
  ])('exits 2 for %j and says %s', async (words, text) => {
    const ran = await runWindlass(words);
    expect(ran.code).toBe(2);
    expect(ran.stdout).toBe('');
    expect(ran.stderr).toContain(text);
  });

  it.each([
    [['run', 'status', 'run_x']],
    [['run', 'explain', 'run_01JQ5T8Z9Q6X4V2N7M3K1H0GFE', '../x']],
    [['board', 'create', 'Not A Board']],
    [['board', 'grant', 'demo', '--principal', 'me', '--allow', 'READ']],
    [
      [
        'board',
        'grant',
        'demo',
        '--principal',
        'arn:aws:iam::123456789012:role/T',
        '--allow',
        'FLY',
      ],
    ],
    [['run', 'download', 'run_01JQ5T8Z9Q6X4V2N7M3K1H0GFE']],
    [['run', 'list', '--stack', 'a', '--api-url', 'https://b.example']],
    [['run', 'list', '--limit', '-1']],
    [['run', 'list']],
  ])('exits 2 for the arguments %j', async (words) => {
    expect((await runWindlass(words)).code).toBe(2);
  });

  it('prints one JSON document for a wrong command line with --json', async () => {
    const ran = await runWindlass(['run', 'status', 'run_x', '--json']);
    expect(ran.code).toBe(2);
    expect(JSON.parse(ran.stdout)).toMatchObject({ error: { code: 'USAGE', exit: 2 } });
  });

  it('starts itself with the pinned Node when the shell has an older one', async () => {
    const ran = await runWindlass(['plan', 'schema', '--json'], {
      env: { NODE_OPTIONS: '' },
      node: process.execPath,
    });
    const old = await runOld(['plan', 'schema', '--json']);
    expect(old).toEqual(ran);
    expect((await runOld(['doctr'])).code).toBe(2);
  });

  it('uses no colour in a pipe', async () => {
    const { stdout } = await runWindlass(['--help'], { env: { FORCE_COLOR: '' } });
    expect(stdout).not.toContain('\u001b');
  });
});

async function runOld(words: string[]) {
  const { spawn } = await import('node:child_process');
  const { executable } = await import('../../support/stand-in-api/run-windlass.ts');
  return (await new Promise((resolve) => {
    const child = spawn(process.execPath, [pretendOldNode, executable, ...words], {
      env: { PATH: process.env['PATH'], WINDLASS_STATE_FOLDER: '/nonexistent' },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  })) as { code: number; signal: null; stdout: string; stderr: string };
}
