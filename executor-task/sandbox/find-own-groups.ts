import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folders of the control groups this process is in. */
export interface OwnGroups {
  readonly version: 1 | 2;
  readonly memory?: string | undefined;
  readonly pids?: string | undefined;
  readonly cpuacct?: string | undefined;
  readonly unified?: string | undefined;
}

/** Undefined where no control group file system is mounted. */
export function findOwnGroups(): OwnGroups | undefined {
  const mounts = readText('/proc/self/mountinfo');
  const memberships = readText('/proc/self/cgroup');
  const memory = locateGroup(mounts, memberships, 'memory');
  if (memory !== undefined) {
    return {
      version: 1,
      memory,
      pids: locateGroup(mounts, memberships, 'pids'),
      cpuacct: locateGroup(mounts, memberships, 'cpuacct'),
    };
  }
  const unified = locateGroup(mounts, memberships, '');
  return unified === undefined ? undefined : { version: 2, unified };
}

/** `controller` is empty for the unified hierarchy. */
function locateGroup(mounts: string, memberships: string, controller: string): string | undefined {
  const membership = memberships
    .split('\n')
    .map((line) => /^\d+:([^:]*):(.*)$/.exec(line))
    .find((match) => match?.[1]?.split(',').includes(controller) === true)?.[2];
  const mount = mounts.split('\n').find((line) => isMountOf(line, controller));
  const [root, mountPoint] = mount?.split(' ').slice(3, 5) ?? [];
  if (membership === undefined || root === undefined || mountPoint === undefined) return undefined;
  const below = root === '/' ? membership : membership.slice(root.length);
  const folder = join(mountPoint, below);
  return existsSync(join(folder, 'cgroup.procs')) ? folder : undefined;
}

function isMountOf(line: string, controller: string): boolean {
  const [type, , options] = (line.split(' - ')[1] ?? '').split(' ');
  if (controller === '') return type === 'cgroup2';
  return type === 'cgroup' && (options ?? '').split(',').includes(controller);
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // No /proc entry: no control groups.
    return '';
  }
}
