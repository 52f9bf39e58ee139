import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { artifactHints, type ArtifactCode } from '../../../../cli/artifact/artifact-failure.ts';
import { useTinyStore, type Ran } from './setting/use-tiny-store.ts';

const store = useTinyStore();
const sha = 'a'.repeat(64);
const reference = `kanban-artifact:v1:demo:t_1:41:${sha}`;

function expectFailure(ran: Ran, code: ArtifactCode) {
  expect(ran).toEqual({ code: 1, stdout: '', stderr: `err:${code}: ${artifactHints[code]}\n` });
}

describe('the three verbs', () => {
  it('A1 A2 A3 A5 hand a document in and bring it back, to the byte', async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7) % 256));
    await writeFile(store.at('brief.docx'), bytes);
    const uploaded = await store.run(['upload', 'demo', 't_1', './brief.docx']);
    const described = {
      reference: `kanban-artifact:v1:demo:t_1:1:${createHash('sha256').update(bytes).digest('hex')}`,
      board: 'demo',
      task_id: 't_1',
      attachment_id: 1,
      filename: 'brief.docx',
      media_type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      role: 'original',
      companion_of: null,
      uploaded_by: 'coordinator',
      created_at: 1_760_000_000,
    };
    expect({ ...uploaded, stdout: JSON.parse(uploaded.stdout) as unknown }).toEqual({
      code: 0,
      stdout: described,
      stderr: '',
    });
    const listed = await store.run(['list', 'demo', 't_1']);
    expect(listed).toEqual({ code: 0, stdout: `${JSON.stringify([described])}\n`, stderr: '' });
    const fetched = await store.run(['download', described.reference, 'back.docx']);
    expect(fetched).toEqual({
      code: 0,
      stdout: `${JSON.stringify({ ...described, destination: 'back.docx' })}\n`,
      stderr: '',
    });
    expect(readFileSync(store.at('back.docx')).equals(bytes)).toBe(true);
    expect(readdirSync(store.path()).sort()).toEqual(['back.docx', 'brief.docx']);
    expect(store.readCalls()).toEqual([
      [
        'artifact-upload',
        'demo',
        't_1',
        '--name',
        'brief.docx',
        '--media-type',
        described.media_type,
        '--size',
        '300000',
        '--sha256',
        described.sha256,
        '--json',
      ],
      ['artifact-list', 'demo', 't_1', '--json'],
      ['artifact-list', 'demo', 't_1', '--json'],
      ['artifact-download', 'demo', 't_1', '1'],
    ]);
  });

  it('A15 A36 attach a companion once', async () => {
    const original = await store.attach('brief.docx', 'original');
    await writeFile(store.at('page.png'), 'png');
    const words = [
      'upload',
      'demo',
      't_1',
      'page.png',
      '--role',
      'preview',
      '--original',
      original,
    ];
    expect(JSON.parse((await store.run(words)).stdout)).toMatchObject({
      filename: 'brief.docx.preview.png',
      media_type: 'image/png',
      companion_of: 'brief.docx',
    });
    expectFailure(await store.run(words), 'artifact_companion_exists');
    const listed = await store.run(['list', 'demo', 't_1', '--role', 'original']);
    expect(JSON.parse(listed.stdout)).toHaveLength(1);
  });

  it('A29 upload a link under its own name, with a type of the own choice', async () => {
    await writeFile(store.at('x.txt'), 'bytes');
    await symlink('x.txt', store.at('named.txt'));
    const words = ['upload', 'demo', 't_1', 'named.txt', '--media-type', 'application/x-own'];
    expect(JSON.parse((await store.run(words)).stdout)).toMatchObject({
      filename: 'named.txt',
      media_type: 'application/x-own',
    });
  });

  it('A4 take the adapter of the flag rather than that of a variable', async () => {
    const words = ['list', 'demo', 't_1', '--worker-runtime', "sh -c 'exit 3'"];
    expectFailure(await store.run(words), 'artifact_not_found');
  });
});

describe('what is refused before anything is started', () => {
  const spy = { WINDLASS_WORKER_RUNTIME: "sh -c 'echo > spawned'" };
  const unset = { WINDLASS_WORKER_RUNTIME: '' };
  const companion = ['--role', 'preview', '--original'];

  beforeEach(async () => {
    await writeFile(store.at('a.txt'), 'a');
    await writeFile(store.at('a.preview.png'), 'a');
    await writeFile(store.at('.hidden'), 'a');
    await writeFile(store.at('big'), '');
    await truncate(store.at('big'), 26_214_401);
    await mkdir(store.at('dir'));
  });

  it.each<[ArtifactCode, string[], Record<string, string>?]>([
    ['worker_runtime_unset', ['list', 'demo', 't_1', '--role', 'nonsense'], unset],
    ['worker_runtime_unset', ['upload', 'demo', 't_1', 'none'], unset],
    ['worker_runtime_unset', ['download', 'nonsense', 'dir'], unset],
    ['artifact_role_invalid', ['list', 'demo', 't_1', '--role', 'nonsense']],
    ['artifact_role_invalid', ['upload', 'demo', 't_1', 'none', '--role', 'nonsense']],
    ['artifact_media_type_invalid', ['upload', 'demo', 't_1', 'none', '--media-type', 'nonsense']],
    ['artifact_original_required', ['upload', 'demo', 't_1', 'none', '--role', 'preview']],
    ['artifact_ref_malformed', ['upload', 'demo', 't_1', 'none', ...companion, '41']],
    ['artifact_board_mismatch', ['upload', 'other', 't_1', 'none', ...companion, reference]],
    ['artifact_original_invalid', ['upload', 'demo', 't_2', 'none', ...companion, reference]],
    ['artifact_source_invalid', ['upload', 'demo', 't_1', 'none']],
    ['artifact_source_invalid', ['upload', 'demo', 't_1', 'dir']],
    ['artifact_source_invalid', ['upload', 'demo', 't_1', 'none', ...companion, reference]],
    ['artifact_name_invalid', ['upload', 'demo', 't_1', '.hidden']],
    ['artifact_name_reserved', ['upload', 'demo', 't_1', 'a.preview.png']],
    ['artifact_too_large', ['upload', 'demo', 't_1', 'big']],
    ['artifact_ref_malformed', ['download', 'a.txt', 'dir']],
    ['artifact_board_mismatch', ['download', reference, 'dir', '--board', 'other']],
    ['artifact_task_mismatch', ['download', reference, 'dir', '--task-id', 't_2']],
    ['artifact_destination_invalid', ['download', reference, 'dir']],
    ['artifact_destination_exists', ['download', reference, 'a.txt', '--board', 'demo']],
  ])('A4 A17 %s by %j', async (code, words, env = spy) => {
    expectFailure(await store.run(words, { env }), code);
    expect(readdirSync(store.path())).not.toContain('spawned');
  });

  it.each([
    [['upload', 'demo', 't_1']],
    [['upload', 'Demo', 't_1', 'a.txt']],
    [['upload', 'demo', 't/1', 'a.txt']],
    [['list', 'demo', '-t']],
    [['list', 'demo', 't_1', 'more']],
    [['list', 'demo', 't_1', '--timeout', '0']],
    [['list', 'demo', 't_1', '--timeout', '-1']],
    [['list', 'demo', 't_1', '--timeout', 'soon']],
    [['download', reference]],
    [['download', reference, 'out', '--board', 'Demo']],
    [['download', reference, 'out', '--task-id', 't/1']],
    [['upload', 'demo', 't_1', 'a.txt', '--original', reference]],
    [['upload', 'demo', 't_1', 'a.txt', ...companion, reference, '--media-type', 'image/gif']],
  ])('exits 2 for the command line %j', async (words) => {
    const ran = await store.run(words, { env: spy });
    expect(ran.code).toBe(2);
    expect(ran.stdout).toBe('');
    expect(ran.stderr).not.toContain('err:');
    expect(readdirSync(store.path())).not.toContain('spawned');
  });

  it('A20 is what a set variable is not', async () => {
    await store.run(['list', 'demo', 't_1'], { env: spy });
    expect(readdirSync(store.path())).toContain('spawned');
  });
});

describe('what is never shown', () => {
  const planted = {
    PLANTED_IN_ENV: 'planted-secret-of-the-environment',
    PLANTED_IN_OUTPUT: 'planted-output-of-the-adapter',
  };
  const contents = 'planted-contents-of-the-file';

  it.each([
    ['spill', 'artifact_transport_failed'],
    ['spill calmly', 'artifact_transport_invalid'],
  ] as const)('A19 A60 is contents, environment or output (%s)', async (play, code) => {
    await writeFile(store.at('a.txt'), contents);
    const ran = await store.run(['upload', 'demo', 't_1', 'a.txt'], { play, env: planted });
    expectFailure(ran, code);
    const listed = await store.run(['list', 'demo', 't_1'], { play, env: planted });
    expectFailure(listed, code);
  });

  it('A18 is in no argument, and A5 not in the result', async () => {
    await writeFile(store.at('a.txt'), contents);
    const { stdout } = await store.run(['upload', 'demo', 't_1', 'a.txt'], { env: planted });
    const shown = `${stdout}${JSON.stringify(store.readCalls())}`;
    const base64 = Buffer.from(contents).toString('base64');
    for (const secret of [contents, base64, ...Object.values(planted), '/worker/only'])
      expect(shown).not.toContain(secret);
  });
});

describe('how an adapter ends the command', () => {
  it.each<[ArtifactCode, string]>([
    ['artifact_transport_unavailable', 'no-such-adapter'],
    ['artifact_transport_unavailable', "sh 'open"],
    ['artifact_transport_unavailable', "sh -c 'exit 127'"],
    ['artifact_transport_failed', "sh -c 'exit 9'"],
    ['artifact_transport_failed', "sh -c 'kill -9 $$'"],
    ['artifact_transport_invalid', 'true'],
    ['artifact_transport_invalid', "sh -c 'echo []; echo x'"],
    ['artifact_transport_invalid', "sh -c 'yes' --"],
    ['artifact_too_large', "sh -c 'exit 4'"],
    ['artifact_integrity_failed', "sh -c 'exit 5'"],
  ])('A40 to A43 with %s for %s', async (code, runtime) => {
    const ran = await store.run(['list', 'demo', 't_1'], {
      env: { WINDLASS_WORKER_RUNTIME: runtime },
    });
    expectFailure(ran, code);
  });

  it('A41 A48 when the time of the whole command is over', async () => {
    const words = ['list', 'demo', 't_1', '--timeout', '0.3'];
    const env = { WINDLASS_WORKER_RUNTIME: "sh -c 'sleep 600'" };
    expectFailure(await store.run(words, { env }), 'artifact_transport_timeout');
    expect(await store.waitForNoneLiving()).toEqual([]);
  });
});
