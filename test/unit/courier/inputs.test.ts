import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  firstKey,
  inputs,
  useCourierRig,
} from '../../support/stand-in-executor-api/open-courier-rig.ts';

const rig = useCourierRig();
const first = inputs.get(firstKey)!;

async function expectRefused(note: string): Promise<void> {
  const bench = rig.work();
  await rig.carry();
  const { response, record } = rig.readReturn();
  expect(bench.job).toBeUndefined();
  expect(response.self_reported_status).toBe('FAILED');
  expect(response.observations).toEqual([{ type: 'NOTE', detail: note }]);
  expect(record).toMatchObject({ inputs_verified: false, commands: [], outputs: [] });
}

describe('an input that is not what the request names', () => {
  it('E51 is not run when a byte changed', async () => {
    rig.api.inputs.set(firstKey, Buffer.from(first.toString().replace('one', 'two')));
    await expectRefused('input texts is not what its request names');
  });

  it('E51 is not run when it is short', async () => {
    rig.api.inputs.set(firstKey, first.subarray(1));
    await expectRefused('input texts is not what its request names');
  });

  it('E51 is not run when it is long, and is not read to its end', async () => {
    rig.api.disturb(`GET ${firstKey}`, { kind: 'FLOOD' });
    await expectRefused('input texts has more bytes than its request says');
  });

  it('E51 is not run when it is offered with another digest than requested', async () => {
    rig.api.claim.inputs[0]!.sha256 = 'b'.repeat(64);
    await expectRefused('input texts is offered with another digest than requested');
  });

  it('E51 is not run when it is not offered or not there', async () => {
    rig.api.claim.inputs.pop();
    await expectRefused('resolved input 1 is not offered');
  });

  it('E51 is not run when it is gone', async () => {
    rig.api.inputs.delete(firstKey);
    await expectRefused('input texts is not there any more');
  });
});

describe('an input that is hard to get', () => {
  it('is fetched again when the connection broke', async () => {
    rig.api.disturb(`GET ${firstKey}`, { kind: 'LOSE_CALL' });
    rig.api.disturb(`GET ${firstKey}`, { kind: 'ANSWER', status: 503, body: '' });
    rig.work();
    await rig.carry();
    expect(rig.readReturn().response.self_reported_status).toBe('COMPLETED');
    expect(rig.api.countCalls(`GET ${firstKey}`)).toBe(3);
  });

  it('is fetched again when the store hangs', async () => {
    rig.api.disturb(`GET ${firstKey}`, { kind: 'HANG' });
    rig.work();
    await rig.carry({ transferMilliseconds: 300 });
    expect(rig.readReturn().response.self_reported_status).toBe('COMPLETED');
  });

  it('is fetched under a URL that was signed anew when the first is not accepted', async () => {
    rig.api.disturb(`GET ${firstKey}`, { kind: 'ANSWER', status: 403, body: '' });
    rig.work();
    await rig.carry();
    expect(rig.api.countCalls('/renew')).toBe(1);
    expect(rig.readReturn().response.self_reported_status).toBe('COMPLETED');
  });

  it('E51 makes nobody say that its bytes are wrong when it stays out of reach', async () => {
    rig.api.disturb(`GET ${firstKey}`, { kind: 'ANSWER', status: 503, body: '' }, 4);
    await expect(rig.carry()).rejects.toThrow('input texts cannot be fetched');
    expect(rig.api.countCalls('/submit')).toBe(0);
  });

  it('is not looked for where it redirects to', async () => {
    const headers = { location: `${rig.api.url}/elsewhere` };
    rig.api.disturb(`GET ${firstKey}`, { kind: 'ANSWER', status: 302, body: '', headers }, 4);
    await expect(rig.carry()).rejects.toThrow('cannot be fetched');
    expect(rig.api.countCalls('GET /elsewhere')).toBe(0);
    expect(rig.api.calls.some(({ label }) => label.includes('elsewhere'))).toBe(false);
  });

  it('E51 is taken as it is stored, whatever encoding its store tells', async () => {
    const packed = gzipSync(first);
    const headers = { 'content-encoding': 'gzip' };
    const sha256 = createHash('sha256').update(packed).digest('hex');
    rig.api.claim.inputs[0]!.sha256 = sha256;
    rig.api.claim.inputs[0]!.size = packed.length;
    rig.api.claim.request.resolved_inputs[0]!.content_hash = sha256;
    rig.api.inputs.set(firstKey, packed);
    rig.api.inputHeaders = headers;
    const bench = rig.work();
    await rig.carry();
    expect(rig.readReturn().record.inputs_verified).toBe(true);
    expect(bench.job?.inputs[0]?.files[0]?.sha256).toBe(sha256);
  });
});
