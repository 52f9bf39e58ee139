import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { lock } from 'proper-lockfile';

export interface UserRange {
  readonly firstUid: number;
  readonly count: number;
}

export interface UserLease {
  readonly uid: number;
  readonly release: () => Promise<void>;
}

/** Users that belong to nobody on common systems; no entry in /etc/passwd is needed. */
export const DEFAULT_USER_RANGE: UserRange = { firstUid: 61_200, count: 100 };

/** Where supervisors on one machine agree on who uses which user. */
export const DEFAULT_LEASE_FOLDER = '/run/windlass/sandbox-users';

export class UserLeaseError extends Error {
  override readonly name = 'UserLeaseError';
}

const LOCK_STALE_MILLISECONDS = 10_000;
const LOCK_RETRIES = { retries: 100, minTimeout: 10, maxTimeout: 100 };

/**
 * Takes a user that no living attempt and no process has, for this attempt alone (E77).
 * @throws UserLeaseError when all of the range are taken.
 */
export async function leaseUser(
  folder: string = DEFAULT_LEASE_FOLDER,
  range: UserRange = DEFAULT_USER_RANGE,
): Promise<UserLease> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const unlock = await lock(folder, { stale: LOCK_STALE_MILLISECONDS, retries: LOCK_RETRIES });
  try {
    const busy = await listBusyUsers();
    for (let uid = range.firstUid; uid < range.firstUid + range.count; uid += 1) {
      const file = join(folder, String(uid));
      if (busy.has(uid) || (await isHeld(file))) continue;
      await writeFile(file, await renderHolder(), { mode: 0o600 });
      return { uid, release: () => rm(file, { force: true }) };
    }
  } finally {
    await unlock();
  }
  throw new UserLeaseError(
    `all ${String(range.count)} sandbox users from ${String(range.firstUid)} on are taken; end attempts or widen the range`,
  );
}

async function renderHolder(): Promise<string> {
  return `${String(process.pid)} ${(await readStartTime(process.pid)) ?? ''}`;
}

async function isHeld(file: string): Promise<boolean> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return false;
  const [pid, startTime] = text.split(' ');
  return (await readStartTime(Number(pid))) === startTime;
}

/** Ticks after boot at which a process started: with its id, an identity that is not used twice. */
async function readStartTime(pid: number): Promise<string | undefined> {
  const statistics = await readFile(`/proc/${String(pid)}/stat`, 'utf8').catch(() => undefined);
  return statistics?.slice(statistics.lastIndexOf(')') + 2).split(' ')[19];
}

async function listBusyUsers(): Promise<ReadonlySet<number>> {
  const busy = new Set<number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const facts = await stat(`/proc/${name}`).catch(() => undefined);
    if (facts !== undefined) busy.add(facts.uid);
  }
  return busy;
}
