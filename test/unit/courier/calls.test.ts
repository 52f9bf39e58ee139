import { describe, expect, it } from 'vitest';
import { digestBytes } from '../../../schemas/digest.ts';
import { useCourierRig } from '../../support/stand-in-executor-api/open-courier-rig.ts';
import { indexText, obeyStop } from '../../support/stand-in-executor-api/stand-in-workbench.ts';

const rig = useCourierRig();
const forbidden = { kind: 'ANSWER', status: 403, body: { message: 'Forbidden' } } as const;

describe('a claim', () => {
  it('is repeated with the same nonce after a lost answer', async () => {
    rig.api.disturb('/claim', { kind: 'LOSE_ANSWER' });
    rig.work();
    await rig.carry();
    const nonces = rig.api.calls
      .filter(({ label }) => label === '/claim')
      .map(({ text }) => (JSON.parse(text) as { nonce: string }).nonce);
    expect(nonces).toHaveLength(2);
    expect(new Set(nonces).size).toBe(1);
    expect(rig.readReturn().response.self_reported_status).toBe('COMPLETED');
  });

  it('is repeated after an answer that was cut in the middle', async () => {
    const body = JSON.stringify(rig.api.claim).slice(0, 100);
    rig.api.disturb('/claim', { kind: 'ANSWER', status: 200, body });
    rig.work();
    await rig.carry();
    expect(rig.api.countCalls('/claim')).toBe(2);
  });

  it('is repeated when it hangs, and when something before the controller says no', async () => {
    rig.api.disturb('/claim', { kind: 'HANG' });
    rig.api.disturb('/claim', forbidden);
    rig.work();
    await rig.carry({ callMilliseconds: 300 });
    expect(rig.api.countCalls('/claim')).toBe(3);
  });

  it('is not repeated when the controller refuses it', async () => {
    rig.api.secrets.ticket = 'x'.repeat(43);
    const wrong = rig.carry();
    rig.api.secrets.ticket = 'y'.repeat(43);
    await expect(wrong).rejects.toMatchObject({ name: 'RefusedError', code: 'TICKET_REFUSED' });
    expect(rig.api.calls.map(({ label }) => label)).toEqual(['/claim']);
    expect(rig.log).toEqual([]);
  });

  it('does not read an answer that never ends', async () => {
    rig.api.disturb('/claim', { kind: 'FLOOD' });
    rig.work();
    await rig.carry();
    expect(rig.api.countCalls('/claim')).toBe(2);
  });

  it('does not follow a redirect with its ticket', async () => {
    const headers = { location: `${rig.api.url}/elsewhere` };
    rig.api.disturb('/claim', { kind: 'ANSWER', status: 307, body: '', headers }, 100);
    await expect(rig.carry({ claimMilliseconds: 500 })).rejects.toMatchObject({
      name: 'UnreachableError',
    });
    expect(rig.api.countCalls('/elsewhere')).toBe(0);
  });
});

describe('a return', () => {
  it('E63 is repeated with the same body after a lost answer', async () => {
    rig.api.disturb('/submit', { kind: 'LOSE_ANSWER' });
    rig.api.disturb('/submit', { kind: 'ANSWER', status: 503, body: {} });
    rig.work();
    await rig.carry();
    const bodies = rig.api.calls.filter(({ label }) => label === '/submit');
    expect(bodies).toHaveLength(3);
    expect(new Set(bodies.map(({ text }) => text)).size).toBe(1);
    expect(rig.log.at(-1)).toContain('"returned"');
  });

  it('E47 ends the courier when it is refused', async () => {
    const body = { status: 409, code: 'TOKEN_USED' };
    rig.api.disturb('/submit', { kind: 'ANSWER', status: 409, body });
    rig.work();
    await expect(rig.carry()).rejects.toMatchObject({ name: 'RefusedError', code: 'TOKEN_USED' });
    expect(rig.api.countCalls('/submit')).toBe(1);
  });
});

describe('the store', () => {
  it('p30 is asked once more when an answer was lost, and keeps one version of each output', async () => {
    const { prefix } = rig.api.claim.upload;
    rig.api.disturb(`PUT ${prefix}${digestBytes(indexText)}`, { kind: 'LOSE_ANSWER' });
    rig.work();
    await rig.carry();
    const { response, record } = rig.readReturn();
    expect(response.self_reported_status).toBe('COMPLETED');
    for (const { key, sha256 } of record.outputs) {
      expect(key).toBe(`${prefix}${sha256}`);
    }
    // Its version was in the answer that was lost; who admits it finds it.
    expect(record.outputs.map((each) => [each.output, each.version_id])).toEqual([
      ['index', null],
      ['copy', 'v1'],
    ]);
    for (const versions of rig.api.objects.values()) expect(versions).toHaveLength(1);
  });

  it('p30 is given time after a conflict of two writes, and asked again', async () => {
    const call = `PUT ${rig.api.claim.upload.prefix}${digestBytes(indexText)}`;
    rig.api.disturb(call, { kind: 'ANSWER', status: 409, body: '<Error/>' }, 2);
    rig.work();
    const start = performance.now();
    await rig.carry();
    expect(performance.now() - start).toBeGreaterThan(600);
    expect(rig.api.countCalls(call)).toBe(3);
    expect(rig.readReturn().record.outputs.map((each) => each.version_id)).toEqual(['v1', 'v1']);
  });

  it('p30 takes nothing when conflicts do not end', async () => {
    rig.api.disturb('PUT', { kind: 'ANSWER', status: 409, body: '<Error/>' }, 100);
    rig.work();
    await expect(rig.carry()).rejects.toMatchObject({ name: 'StoreUnreachableError' });
    expect(rig.api.countCalls('PUT')).toBe(6);
  });

  it('makes nobody say that the work failed when it takes nothing', async () => {
    rig.api.disturb('PUT', { kind: 'ANSWER', status: 403, body: '<Error/>' }, 100);
    rig.work();
    await expect(rig.carry()).rejects.toMatchObject({ name: 'StoreUnreachableError' });
    expect(rig.api.countCalls('/submit')).toBe(0);
  });
});

describe('heartbeats', () => {
  it('start at once and go on while the work runs', async () => {
    rig.work(obeyStop);
    const carried = rig.carry();
    await rig.api.waitForCalls('/heartbeat', 3);
    const labels = rig.api.calls.map(({ label }) => label);
    expect(labels.indexOf('/heartbeat')).toBe(labels.indexOf('/claim') + 1);
    expect(rig.api.countCalls('/submit')).toBe(0);
    orderStop();
    await carried;
  });

  it('p14 go on after the controller was out of reach, and the work with them', async () => {
    rig.api.disturb('/heartbeat', { kind: 'LOSE_CALL' }, 3);
    rig.api.disturb('/heartbeat', forbidden, 2);
    rig.api.disturb('/heartbeat', { kind: 'ANSWER', status: 200, body: { answer: 'PERHAPS' } });
    rig.work(obeyStop);
    const carried = rig.carry();
    await rig.api.waitForCalls('/heartbeat', 8);
    expect(rig.log.join('')).toContain('heartbeat-missed');
    expect(rig.log.join('')).not.toContain('stop-obeyed');
    orderStop();
    await carried;
  });
});

function orderStop(): void {
  rig.api.heartbeat = {
    answer: 'STOP',
    cause: 'STOP_ORDER',
    cancellation_token: rig.api.secrets.cancellationToken,
  };
}
