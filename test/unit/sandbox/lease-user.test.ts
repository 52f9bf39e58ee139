import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { leaseUser } from '../../../executor-task/sandbox/lease-user.ts';

const RANGE = { firstUid: 59_100, count: 5 };

describe('leasing a user', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lease-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('E77 gives every one of several leases at once a user of its own', async () => {
    const leases = await Promise.all(Array.from({ length: 5 }, () => leaseUser(folder, RANGE)));
    expect(new Set(leases.map((lease) => lease.uid)).size).toBe(5);
  });

  it('E77 refuses when all are taken, and gives a released one again', async () => {
    const only = { ...RANGE, count: 1 };
    const lease = await leaseUser(folder, only);
    await expect(leaseUser(folder, only)).rejects.toThrow(/all 1 sandbox users from 59100 on/);
    await lease.release();
    await expect(leaseUser(folder, only)).resolves.toMatchObject({ uid: 59_100 });
  });

  it('E77 takes over the lease of a process that is gone, also when its id lives again', async () => {
    await writeFile(join(folder, '59100'), '4194304 1');
    await writeFile(join(folder, '59101'), `${String(process.pid)} 1`);
    await expect(leaseUser(folder, RANGE)).resolves.toMatchObject({ uid: 59_100 });
    await expect(leaseUser(folder, RANGE)).resolves.toMatchObject({ uid: 59_101 });
  });

  it('E77 passes over a user that has a process', async () => {
    const own = { firstUid: process.getuid?.() ?? 0, count: 2 };
    await expect(leaseUser(folder, own)).resolves.toMatchObject({ uid: own.firstUid + 1 });
  });
});
