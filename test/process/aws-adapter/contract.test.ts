import { describe, expect, it } from 'vitest';
import { digestBytes } from '../../../schemas/digest.ts';
import { composeUpload } from '../../support/aws-adapter/start-aws-adapter.ts';
import { standInKey } from '../../support/stand-in-api/check-signature.ts';
import { task, useAwsAdapter } from './use-aws-adapter.ts';

const adapter = useAwsAdapter();
const bytes = Buffer.from('bytes');
const upload = composeUpload(...task, { name: 'a.txt', bytes });

describe('windlass-aws', () => {
  it('A53 lists every page, and an empty array for a task without attachments', async () => {
    expect(await adapter.list()).toEqual([]);
    for (const name of ['a', 'b', 'c', 'd', 'e']) await adapter.attach({ name, bytes });
    const listed = await adapter.list();
    expect(listed.map(({ filename }) => filename)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(listed[0]).toMatchObject({ id: 1, task_id: 't_brief', sha256: digestBytes(bytes) });
  });

  it('A53 waits for no input where there is none', async () => {
    const { child, ended } = adapter.start(['artifact-list', ...task, '--json']);
    expect(await ended).toMatchObject({ code: 0 });
    expect(child.stdin?.destroyed).toBe(true);
  });

  it('A59 ends with 1 when the board is closed to the caller', async () => {
    adapter.api.state.closedBoards.add('demo');
    expect(await adapter.run(['artifact-list', ...task, '--json'])).toEqual({
      code: 1,
      stdout: Buffer.alloc(0),
      stderr: 'windlass-aws: NOT_GRANTED\n',
    });
  });

  it('A60 tells nothing of what others said, and nothing of its credentials', async () => {
    const planted = { message: `planted ${standInKey.secretAccessKey}` };
    adapter.api.disturb('GET ', { kind: 'ANSWER', answer: { status: 403, body: planted } }, 9);
    const refused = await adapter.run(['artifact-list', ...task, '--json']);
    expect(refused).toEqual({
      code: 1,
      stdout: Buffer.alloc(0),
      stderr: expect.stringMatching(/^windlass-aws: UNREACHABLE: no answer; [^\n]+\n$/) as string,
    });
    const forged = { code: 'planted\u001b[2J', status: 400, title: 't', type: 't', detail: 'd' };
    adapter.api.disturb('POST ', { kind: 'ANSWER', answer: { status: 400, body: forged } }, 9);
    const failed = await adapter.run(upload, bytes);
    expect(failed).toMatchObject({ code: 1, stderr: 'windlass-aws: REFUSED\n' });
  });

  it('A61 ends with 1 when there is no API and when there are no credentials', async () => {
    const nowhere = { WINDLASS_API_URL: '' };
    const unknown = { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' };
    for (const env of [nowhere, unknown, { WINDLASS_STACK: 'not-up' }]) {
      const ran = await adapter.run(['artifact-list', ...task, '--json'], undefined, env);
      expect(ran).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^windlass-aws: UNREACHABLE: no answer; [^\n]+\n$/) as string,
      });
    }
  });

  it('A61 takes the API from words before the verb, over the variables', async () => {
    const words = ['--api-url', adapter.api.url, '--region', 'eu-central-1'];
    const env = { WINDLASS_STACK: 'not-up', WINDLASS_API_URL: 'https://127.0.0.1:1' };
    const ran = await adapter.run([...words, 'artifact-list', ...task, '--json'], undefined, env);
    expect(ran).toMatchObject({ code: 0 });
  });

  it.each([
    ['nothing', []],
    ['another verb', ['artifact-delete', ...task, '--json']],
    ['no task', ['artifact-list', 'demo', '--json']],
    ['no --json', ['artifact-list', ...task]],
    ['one word more', ['artifact-list', ...task, 'more', '--json']],
    ['a flag of another verb', ['artifact-list', ...task, '--json', '--size', '1']],
    ['an unknown flag', ['artifact-list', ...task, '--json', '--all']],
    ['no attachment', ['artifact-download', ...task]],
    ['--json with bytes', ['artifact-download', ...task, '1', '--json']],
    ['no digest', upload.filter((_, place) => place !== 9 && place !== 10)],
    ['a size that is none', upload.map((word) => (word === '5' ? '5.0' : word))],
    ['two targets', ['--stack', 'a', '--api-url', 'https://b', 'artifact-list', ...task, '--json']],
  ])('A76 ends with 2 for %s, and calls nobody', async (_, words) => {
    const ran = await adapter.run(words, bytes);
    expect(ran).toEqual({
      code: 2,
      stdout: Buffer.alloc(0),
      stderr: 'windlass-aws: USAGE: run `windlass-aws --help`\n',
    });
    expect(adapter.api.calls).toEqual([]);
  });

  it('prints how it is used when it is asked', async () => {
    const ran = await adapter.run(['--help']);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout.toString()).toContain('artifact-upload BOARD TASK');
  });
});
