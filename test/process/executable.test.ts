import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { groups, singles } from '../../cli/catalogue.ts';
import {
  describeStandIn,
  runWindlass,
  startWindlass,
} from '../support/stand-in-api/run-windlass.ts';
import { startStandInApi } from '../support/stand-in-api/start-stand-in-api.ts';
import { makeRun, runId } from '../support/stand-in-api/stand-in-state.ts';

const commands = [
  ...Object.entries(groups).flatMap(([group, { verbs }]) =>
    Object.keys(verbs).map((verb) => `${group} ${verb}`),
  ),
  ...Object.keys(singles),
];

/** Makes the launcher believe that it runs on Node 20. */
const pretendOldNode = [
  `--import=data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.11.0'}})`,
];

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

  it.each(commands)('has help with examples for %s', async (words) => {
    const named = words.split(' ');
    const help = await runWindlass([...named, '--help']);
    expect(help.code).toBe(0);
    expect(help.stderr).toBe('');
    expect(help.stdout).toContain(`Usage: windlass ${named.join(' ')}`);
    expect(help.stdout).toContain('Examples:');
    expect(await runWindlass(['help', ...named])).toEqual(help);
  });

  it('documents its exit statuses', async () => {
    const { stdout } = await runWindlass(['--help']);
    for (const status of [0, 1, 2, 3, 4, 70, 129, 130, 143])
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
    const words = ['plan', 'schema', '--json'];
    const pinned = await runWindlass(words);
    expect(pinned.code).toBe(0);
    expect(await runWindlass(words, { nodeWords: pretendOldNode })).toEqual(pinned);
    expect((await runWindlass(['doctr'], { nodeWords: pretendOldNode })).code).toBe(2);
  });

  it('passes a signal on to the Node it started', async () => {
    const api = await startStandInApi();
    api.state.runs.set(runId, makeRun({ status: 'RUNNING' }));
    const watching = startWindlass(['run', 'watch', runId], {
      env: describeStandIn(api),
      nodeWords: pretendOldNode,
    });
    await api.waitForCall(`GET /boards/demo/runs/${runId}/events`);
    watching.child.kill('SIGTERM');
    const ran = await watching.ended;
    expect(ran.code).toBe(143);
    expect(ran.stderr).toContain('the run goes on');
    await api.stop();
  });

  it('uses no colour in a pipe', async () => {
    const { stdout } = await runWindlass(['--help'], { env: { FORCE_COLOR: '' } });
    expect(stdout).not.toContain('\u001b');
  });
});
