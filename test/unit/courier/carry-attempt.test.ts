import { statSync } from 'node:fs';
import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { digestBytes, digestCanonical } from '../../../schemas/digest.ts';
import { inputs, useCourierRig } from '../../support/stand-in-executor-api/open-courier-rig.ts';
import {
  composeCommand,
  composeResult,
  die,
  finishAlike,
  indexText,
  writeWork,
} from '../../support/stand-in-executor-api/stand-in-workbench.ts';

const rig = useCourierRig();

describe('an attempt that goes well', () => {
  it('E15 E63 returns what was run, measured and stored', async () => {
    const bench = rig.work();
    await rig.carry();
    const { response, record } = rig.readReturn();
    const { request } = rig.api.claim;
    expect(response).toMatchObject({
      run_id: request.run_id,
      attempt_token: request.attempt_token,
      self_reported_status: 'COMPLETED',
      cost_report: { committed: '1000', units: 'micro-USD' },
    });
    expect(response.artefacts.map(({ type, reference }) => [type, reference])).toEqual([
      ['FILE', 'outputs/index'],
      ['DOCUMENT', 'outputs/copy'],
    ]);
    expect(record).toMatchObject({ producer: 'courier', inputs_verified: true, violations: [] });
    expect(record.outputs[0]).toEqual({
      output: 'index',
      key: `${rig.api.claim.upload.prefix}${digestBytes(indexText)}`,
      version_id: 'v1',
      sha256: digestBytes(indexText),
      size: indexText.length,
    });
    expect(bench.job?.inputs[0]?.files.map(({ sha256 }) => sha256)).toEqual(
      [...inputs.values()].map((bytes) => digestBytes(bytes)),
    );
  });

  it('E90 keeps what the command printed beside its outputs', async () => {
    rig.work();
    await rig.carry();
    const stored = [...rig.api.objects.values()].map(([version]) => String(version?.bytes));
    expect(stored.toSorted()).toEqual(['copied', 'counted\n', 'warned\n', indexText].toSorted());
  });

  it('stores equal bytes of two outputs once', async () => {
    rig.work(finishAlike);
    await rig.carry();
    const { record } = rig.readReturn();
    expect(record.outputs.map(({ output, version_id: version }) => [output, version])).toEqual([
      ['index', 'v1'],
      ['copy', 'v1'],
    ]);
    expect(rig.api.countCalls(`PUT ${record.outputs[0]!.key}`)).toBe(1);
  });

  it('stores what a command printed once when it is an output too', async () => {
    rig.work(async (bench, job) =>
      composeResult(job, await writeWork(bench, { index: 'counted\n', copy: 'copied' })),
    );
    await rig.carry();
    const { record } = rig.readReturn();
    expect(record.outputs.map(({ output, version_id: version }) => [output, version])).toEqual([
      ['index', 'v1'],
      ['copy', 'v1'],
    ]);
    expect(rig.api.countCalls(`PUT ${record.outputs[0]!.key}`)).toBe(1);
  });

  it('E85 E101 p52 leaves no token, ticket or credential in the exchange folder or the log', async () => {
    rig.work();
    await rig.carry();
    const texts = [await rig.readExchange(), rig.log.join('')];
    const secrets = Object.values<string>({ ...rig.api.secrets });
    for (const secret of [...secrets, 'ASIAEXAMPLE', 'X-Amz-Signature']) {
      for (const text of texts) expect(text).not.toContain(secret);
    }
    expect(texts[0]).toContain('job.json');
    expect(rig.log.map((line) => (JSON.parse(line) as { step: string }).step)).toEqual([
      'claimed',
      'worked',
      'returned',
    ]);
  });

  it('E81 shares its files with the group of the supervisor and with nobody else', async () => {
    rig.work();
    await rig.carry();
    const modes = ['job.json', 'inputs', 'inputs/00000', 'inputs/00001'].map((name) =>
      (statSync(join(rig.exchange, name)).mode & 0o777).toString(8),
    );
    expect(modes).toEqual(['640', '750', '640', '640']);
  });

  it('p53 uses the credentials of the claim while they last', async () => {
    rig.work();
    await rig.carry();
    expect(rig.api.countCalls('/renew')).toBe(0);
    expect([...rig.api.objects.values()].map(([version]) => version?.accessKey)).not.toContain(
      'ASIARENEWED',
    );
  });

  it('p53 has nearly expired credentials renewed before it stores', async () => {
    rig.api.claim.credentials.expires_at = new Date(Date.now() + 60_000).toISOString();
    rig.work();
    await rig.carry();
    const keys = [...rig.api.objects.values()].map(([version]) => version?.accessKey);
    expect(new Set(keys)).toEqual(new Set(['ASIARENEWED']));
  });
});

describe('an output that is not what was collected', () => {
  it('E40 is refused when its bytes changed', async () => {
    rig.work(async (bench, job) => {
      const outputs = await writeWork(bench);
      await writeFile(join(rig.exchange, 'outputs/index'), '{"terms":{}}');
      return composeResult(job, outputs);
    });
    await rig.carry();
    const { response, record } = rig.readReturn();
    expect(response.self_reported_status).toBe('FAILED');
    expect(response.artefacts).toEqual([]);
    expect(record.outputs).toEqual([]);
    expect(response.observations).toContainEqual({
      type: 'NOTE',
      detail: 'output index changed after it was collected',
    });
  });

  it('E36 is refused when it is a link, whatever that leads to', async () => {
    rig.work(async (bench, job) => {
      const outputs = await writeWork(bench);
      await rm(join(rig.exchange, 'outputs/index'));
      await symlink(join(rig.exchange, 'outputs/copy'), join(rig.exchange, 'outputs/index'));
      return composeResult(job, outputs);
    });
    await rig.carry();
    expect(rig.readReturn().response.observations).toContainEqual({
      type: 'NOTE',
      detail: 'output index is gone or no regular file',
    });
  });

  it('E36 is refused when it is larger than declared', async () => {
    rig.api.claim.assignment.outputs['index']!.max_bytes = 5;
    bindAssignment();
    rig.work();
    await rig.carry();
    expect(rig.readReturn().response.observations).toContainEqual({
      type: 'NOTE',
      detail: 'output index is larger than may be taken',
    });
  });
});

describe('work that fails', () => {
  it('p13 is returned as failed when the workbench dies', async () => {
    rig.work(die);
    await rig.carry({ silentMilliseconds: 200 });
    const { response, record } = rig.readReturn();
    expect(response.self_reported_status).toBe('FAILED');
    expect(record).toMatchObject({ inputs_verified: true, commands: [], sandbox: null });
  });

  it('is returned as failed when its result is of another attempt', async () => {
    rig.work(async (bench, job) => ({
      ...composeResult(job, await writeWork(bench)),
      attempt_id: 'att_01J9ZZZZZZZZZZZZZZZZZZZZZY',
    }));
    await rig.carry();
    expect(rig.readReturn().response.self_reported_status).toBe('FAILED');
    expect(rig.api.objects.size).toBe(0);
  });

  it('is returned as failed when its result is malformed or too large', async () => {
    rig.work(async () => {
      await writeFile(join(rig.exchange, 'result.json'), Buffer.alloc(5 * 1024 * 1024, 0x20));
      return undefined;
    });
    await rig.carry();
    expect(rig.readReturn().response.self_reported_status).toBe('FAILED');
  });

  it('E66 reports no exit code for a command that a signal ended', async () => {
    rig.work(async (bench, job) => {
      await writeWork(bench);
      return { ...composeResult(job, []), commands: [{ ...composeCommand(null), stopped: false }] };
    });
    await rig.carry();
    const { response, record } = rig.readReturn();
    expect(response.self_reported_status).toBe('FAILED');
    expect(response.observations).toEqual([]);
    expect(record.commands[0]).toMatchObject({ exit_code: null, signal: 'SIGKILL' });
  });

  it('E64 leaves it to admission to name an output that was not written', async () => {
    rig.work(async (bench, job) => ({
      ...composeResult(job, (await writeWork(bench)).slice(1)),
      refused_outputs: [{ path: 'index', reason: 'was not written' }],
    }));
    await rig.carry();
    const { response } = rig.readReturn();
    expect(response.self_reported_status).toBe('COMPLETED');
    expect(response.artefacts.map(({ reference }) => reference)).toEqual(['outputs/copy']);
    expect(response.observations).toContainEqual({
      type: 'NOTE',
      detail: 'output index was not written',
    });
  });
});

describe('an assignment', () => {
  it('E51 is refused when it does not have the digest that the request binds', async () => {
    rig.api.claim.assignment.params = { top: 6 };
    const bench = rig.work();
    await rig.carry();
    expect(bench.job).toBeUndefined();
    expect(rig.readReturn().record).toMatchObject({ inputs_verified: false, commands: [] });
    expect(rig.api.countCalls('GET')).toBe(0);
  });

  it('E56 is refused when it wants a command that is not on the allowlist', async () => {
    rig.api.claim.request.command_allowlist = ['RENDER_DIGEST'];
    const bench = rig.work();
    await rig.carry();
    expect(bench.job).toBeUndefined();
    expect(rig.readReturn().response.observations).toEqual([
      { type: 'NOTE', detail: 'command TERM_INDEX is not on the allowlist' },
    ]);
  });

  it('E63 is not begun when the claim is answered with another attempt', async () => {
    rig.api.disturb('/claim', {
      kind: 'ANSWER',
      status: 200,
      body: {
        ...rig.api.claim,
        request: { ...rig.api.claim.request, attempt_id: 'att_01J9ZZZZZZZZZZZZZZZZZZZZZY' },
      },
    });
    await expect(rig.carry()).rejects.toThrow('another attempt');
    expect(rig.api.countCalls('/heartbeat')).toBe(0);
  });
});

function bindAssignment(): void {
  const { request, assignment } = rig.api.claim;
  request.resolved_inputs.at(-1)!.content_hash = digestCanonical(assignment);
}
