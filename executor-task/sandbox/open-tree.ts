import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { SandboxIdentity } from './sandbox-identity.ts';

export interface TreeSize {
  readonly bytes: number;
  readonly entries: number;
}

/** A working tree on memory of a fixed size, in a mount namespace that dies with this process. */
export interface SandboxTree {
  /** The process that keeps the namespace. */
  readonly holderPid: number;
  /** `/work`, as a path inside the holder's mount namespace. */
  readonly insideFolder: string;
  /** The same folder, as this process reaches it. */
  readonly folder: string;
  /** A folder for what is mounted read-only, as this process reaches it. */
  readonly readOnlyFolder: string;
  /** The same, as a path inside the holder's mount namespace. */
  readonly insideReadOnlyFolder: string;
  readonly close: () => Promise<void>;
}

export class TreeError extends Error {
  override readonly name = 'TreeError';
}

const MOUNT_SCRIPT =
  'mount -t tmpfs -o "size=$2,nr_inodes=$3,mode=0755,nosuid,nodev" tree "$1" && echo ready && exec cat >/dev/null';

/**
 * Mounts the tree. The holder reads its standard input, so it ends, and the tree with it, even when this process is
 * killed.
 * @throws TreeError when the kernel does not let this user mount.
 */
export async function openTree(identity: SandboxIdentity, size: TreeSize): Promise<SandboxTree> {
  const mountPoint = await mkdtemp(join(tmpdir(), 'windlass-tree-'));
  const holder = startHolder(identity, mountPoint, size);
  try {
    await waitUntilMounted(holder);
    const root = `/proc/${String(holder.pid)}/root${mountPoint}`;
    await mkdir(join(root, 'work'), { mode: 0o755 });
    await mkdir(join(root, 'read-only'), { mode: 0o755 });
    if (identity.kind === 'leased') await chown(join(root, 'work'), identity.uid, identity.uid);
    return {
      holderPid: holder.pid ?? 0,
      insideFolder: join(mountPoint, 'work'),
      folder: `${root}/work`,
      readOnlyFolder: `${root}/read-only`,
      insideReadOnlyFolder: join(mountPoint, 'read-only'),
      close: () => closeTree(holder, mountPoint),
    };
  } catch (error) {
    await closeTree(holder, mountPoint);
    throw error;
  }
}

function startHolder(identity: SandboxIdentity, mountPoint: string, size: TreeSize): ChildProcess {
  const user = identity.kind === 'caller' ? ['--user', '--map-root-user'] : [];
  return spawn(
    '/usr/bin/unshare',
    [
      ...[...user, '--mount', '--propagation', 'private', '--'],
      ...['/bin/sh', '-c', MOUNT_SCRIPT, 'tree', mountPoint],
      ...[String(size.bytes), String(size.entries)],
    ],
    { env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' }, stdio: ['pipe', 'pipe', 'pipe'], cwd: '/' },
  );
}

async function waitUntilMounted(holder: ChildProcess): Promise<void> {
  let output = '';
  let complaint = '';
  holder.stderr?.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  await new Promise<void>((resolve, reject) => {
    holder.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('ready')) resolve();
    });
    holder.once('error', reject);
    holder.once('close', () => {
      reject(new TreeError(`the working tree could not be mounted: ${complaint.trim()}`));
    });
  });
}

async function closeTree(holder: ChildProcess, mountPoint: string): Promise<void> {
  if (holder.pid !== undefined && holder.exitCode === null && holder.signalCode === null) {
    const closed = once(holder, 'close');
    holder.kill('SIGKILL');
    await closed;
  }
  await rmdir(mountPoint).catch((error: unknown) => {
    // A mount namespace goes a moment after its last process; an empty folder in the temporary folder is no harm.
    if (!(error instanceof Error && 'code' in error && error.code === 'EBUSY')) throw error;
  });
}
