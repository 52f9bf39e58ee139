import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { generate } from 'selfsigned';
import { afterEach, describe, expect, it } from 'vitest';
import { standInKey, standInRegion } from '../../support/stand-in-api/check-signature.ts';
import { runWindlass } from '../../support/stand-in-api/run-windlass.ts';
import { startStandInApi, type StandInApi } from '../../support/stand-in-api/start-stand-in-api.ts';
import { repeatFlags } from '../../../cli/options/connection-options.ts';
import { useStandInApi } from '../../support/stand-in-api/use-stand-in-api.ts';

const stand = useStandInApi();
const list = ['run', 'list', '--board', 'demo'];
let secure: StandInApi | undefined;

afterEach(async () => {
  await secure?.stop();
  secure = undefined;
});

/** Writes the state of a local stack as its own programs do, and gives the environment that finds it. */
async function writeStack(changes: Record<string, unknown> = {}, name = 'default') {
  const pems = await generate([{ name: 'commonName', value: 'localhost' }], {
    keySize: 2048,
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  });
  secure = await startStandInApi({ key: pems.private, cert: pems.cert });
  const folder = path.join(stand.folder, 'stacks', name);
  await mkdir(folder, { recursive: true });
  const certificate = path.join(folder, 'certificate.pem');
  await writeFile(certificate, pems.cert);
  const state = {
    name,
    endpoint: new URL(secure.url).origin,
    region: standInRegion,
    certificate,
    ...standInKey,
    controlSecret: 'another-secret-that-must-never-be-printed',
    outputs: { 'windlass-control': { ApiUrl: `${secure.url}/` } },
    ...changes,
  };
  await writeFile(path.join(folder, 'state.json'), JSON.stringify(state));
  return { WINDLASS_STATE_FOLDER: stand.folder };
}

describe('where the API is', () => {
  it('is the local stack "default" when nothing else is named, trusted by its own certificate only', async () => {
    const env = await writeStack();
    expect(await runWindlass(list, { env })).toMatchObject({ code: 0 });
    expect(secure?.calls).toEqual(['GET /boards/demo/runs']);
  });

  it('names the local stacks that are up when it is told of none', async () => {
    const env = await writeStack({}, 'demo');
    const ran = await runWindlass(list, { env });
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain('give --stack demo, which is up');
  });

  it('is a local stack by --stack, whatever WINDLASS_API_URL and the AWS variables say', async () => {
    const env = {
      ...(await writeStack({}, 'second')),
      WINDLASS_API_URL: 'https://elsewhere.example/',
      AWS_ACCESS_KEY_ID: 'AKIAOFTHESHELL000000',
      AWS_SECRET_ACCESS_KEY: 'of the shell',
      AWS_SESSION_TOKEN: 'of the shell',
      AWS_REGION: 'us-west-1',
    };
    expect(await runWindlass([...list, '--stack', 'second'], { env })).toMatchObject({ code: 0 });
  });

  it('may be called locally by another caller than root', async () => {
    const env = {
      ...(await writeStack({ accessKeyId: 'x', secretAccessKey: 'y' })),
      WINDLASS_LOCAL_ACCESS_KEY_ID: standInKey.accessKeyId,
      WINDLASS_LOCAL_SECRET_ACCESS_KEY: standInKey.secretAccessKey,
    };
    expect((await runWindlass(list, { env })).code).toBe(0);
    const half = Object.entries(env).filter(([name]) => !name.includes('LOCAL_SECRET'));
    expect((await runWindlass(list, { env: Object.fromEntries(half) })).code).toBe(3);
  });

  it.each([
    [{ endpoint: 'https://169.254.169.254/' }],
    [{ outputs: { control: { ApiUrl: 'https://abc.execute-api.eu-west-1.amazonaws.com/prod/' } } }],
    [{ endpoint: 'https://localhost.evil.example/' }],
    [{ endpoint: 'https://user:word@localhost/' }],
  ])('refuses a local stack that is not on this machine: %j', async (changes) => {
    const ran = await runWindlass(list, { env: await writeStack(changes) });
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain('is not on this machine');
    expect(ran.stderr).not.toContain('word');
  });

  it('says what is wrong with a damaged state file without quoting it', async () => {
    const env = await writeStack({ endpoint: 7 });
    const ran = await runWindlass(list, { env });
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain('is damaged: endpoint');
    expect(ran.stderr).not.toContain('must-never-be-printed');
  });

  it('says what to do when there is none', async () => {
    const ran = await runWindlass(list);
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain('windlass local up');
    const named = await runWindlass([...list, '--stack', 'other']);
    expect(named.code).toBe(3);
    expect(named.stderr).toContain('windlass local up --name other');
    expect((await runWindlass([...list, '--stack', '../x'])).code).toBe(2);
  });

  it('says how to start a stack that left its state behind', async () => {
    const env = await writeStack();
    await secure?.stop();
    const ran = await runWindlass(list, { env });
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain('windlass local up --name default');
  });

  it('says that a stack is empty when nothing is deployed', async () => {
    const env = await writeStack({ outputs: undefined });
    const ran = await runWindlass(list, { env });
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain('nothing is deployed');
  });

  it.each([
    ['http://api.example/', 'must begin with https'],
    ['https://user:word@api.example/', 'user name or password'],
    ['nonsense', 'is not a URL'],
    ['https://api.example/', 'region'],
  ])('exits 2 for the URL %s', async (url, text) => {
    const ran = await runWindlass([...list, '--api-url', url]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(text);
    expect(ran.stderr).not.toContain('word@');
  });
});

describe('repeatFlags', () => {
  it('names the same board of the same stack', () => {
    expect(repeatFlags({}, 'demo')).toBe('--board demo');
    expect(repeatFlags({ stack: 'second' }, 'demo')).toBe('--board demo --stack second');
    expect(repeatFlags({ apiUrl: 'https://a.example/', profile: 'p' }, 'demo')).toBe(
      '--board demo --api-url https://a.example/ --profile p',
    );
  });
});

describe('calls', () => {
  it('exits 3 without credentials and says how to get some', async () => {
    const ran = await stand.run(list, {
      env: { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' },
    });
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain('no AWS credentials were found');
  });

  it('exits 3 when the signature is refused, and never repeats what AWS quotes of the request', async () => {
    const env = { AWS_SECRET_ACCESS_KEY: 'wrong', AWS_SESSION_TOKEN: 'planted-session-token' };
    const ran = await stand.run([...list, '--json'], { env });
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain('does not match');
    expect(ran.stdout + ran.stderr).not.toContain('planted-session-token');
  });

  it('exits 3 when nobody listens, after its tries', async () => {
    const url = stand.api.url;
    await stand.api.stop();
    const ran = await stand.run([...list, '--json'], { env: { WINDLASS_API_URL: url } });
    expect(ran.code).toBe(3);
    expect(JSON.parse(ran.stdout)).toMatchObject({ error: { code: 'UNREACHABLE', exit: 3 } });
  });

  it('exits 3 for a certificate that it does not trust, at once', async () => {
    await writeStack();
    const ran = await stand.run(list, { env: { WINDLASS_API_URL: secure!.url } });
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain('NODE_EXTRA_CA_CERTS');
    expect(secure!.calls).toEqual([]);
  });

  it.each([429, 502, 503])('tries again after %i', async (status) => {
    const answer = { status, body: {}, headers: { 'retry-after': '0' } };
    stand.api.disturb('GET', { kind: 'ANSWER', answer }, 3);
    expect((await stand.run(list)).code).toBe(0);
    expect(stand.api.calls).toHaveLength(4);
  });

  it('gives up after five tries', async () => {
    const answer = { status: 503, body: {}, headers: { 'retry-after': '0' } };
    stand.api.disturb('GET', { kind: 'ANSWER', answer }, 99);
    expect((await stand.run(list)).code).toBe(3);
    expect(stand.api.calls).toHaveLength(5);
  });

  it('does not try again when the answer is no', async () => {
    stand.api.state.boards.clear();
    expect((await stand.run(list)).code).toBe(1);
    expect(stand.api.calls).toHaveLength(1);
  });

  it('names what it does not understand in an answer', async () => {
    stand.api.disturb('GET', { kind: 'ANSWER', answer: { status: 200, body: { runs: 7 } } });
    const ran = await stand.run(list);
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain('runs');
  });

  it('never prints the secret, not even when it breaks', async () => {
    stand.api.disturb('GET', { kind: 'ANSWER', answer: { status: 200, body: 'x' } });
    const ran = await stand.run(list, { env: { WINDLASS_DEBUG: '1' } });
    expect(ran.stdout + ran.stderr).not.toContain(standInKey.secretAccessKey);
  });
});
