import { leaseUser, type UserLease } from '../../../executor-task/sandbox/lease-user.ts';

/** Apart from the supervisors' own folder: the two kinds of holder cannot see each other. */
const leaseFolder = '/run/windlass/task-users';

/**
 * A sandbox user for one task, unlike that of every other task of this machine. It is leased here
 * because a supervisor sees only the processes of its own container: two of them would both find
 * the first user of the range free. Undefined for an ordinary user, who has but his own.
 */
export async function leaseTaskUser(isRoot: boolean): Promise<UserLease | undefined> {
  return isRoot ? leaseUser(leaseFolder) : undefined;
}
