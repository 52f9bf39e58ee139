import { homedir } from 'node:os';
import { join } from 'node:path';

import { attempt, permit, GONE, NO_WRITE, type Probe } from './probe.ts';
import type { Outside } from './stand-outside.ts';

const REPOSITORY = join(import.meta.dirname, '../..');

/** Probes of what can be seen and written. */
export function listFileProbes(outside: Outside): Probe[] {
  return [
    attempt('E81 does not see a host file by its path', GONE, 'read', outside.secretFile),
    attempt('E81 does not see the password hashes', GONE, 'read', '/etc/shadow'),
    attempt('E81 does not see the home of root', GONE, 'listing', '/root'),
    attempt('E81 does not see homes', GONE, 'listing', '/home'),
    attempt('E81 does not see system state', GONE, 'listing', '/var'),
    attempt('E81 does not see run-time state and sockets', GONE, 'listing', '/run'),
    attempt('E81 does not see system devices and groups', GONE, 'listing', '/sys'),
    attempt('E84 does not see the repository it is tested from', GONE, 'listing', REPOSITORY),
    attempt(
      'E82 does not see the repository’s metadata',
      GONE,
      'read',
      join(REPOSITORY, '.git/HEAD'),
    ),
    attempt(
      'E82 cannot change the repository’s metadata',
      GONE,
      'write',
      join(REPOSITORY, '.git/config'),
    ),
    attempt('E85 finds no credentials file', GONE, 'read', join(homedir(), '.aws/credentials')),
    permit('E81 starts with an empty tree and nothing of another attempt', [], 'listing', '/work'),
    permit('E81 inherits no open descriptor', [], 'descriptors'),
    attempt('E80 cannot change a toolchain', NO_WRITE, 'write', '/usr/bin/env'),
    attempt('E80 cannot add to a toolchain', NO_WRITE, 'write', '/usr/lib/new'),
    attempt('E80 cannot change Node', NO_WRITE, 'write', '/opt/node/bin/node'),
    attempt('E80 cannot change what is mounted for it', NO_WRITE, 'write', '/opt/probes/probe.py'),
    attempt(
      'E80 cannot change the program that loads the filter',
      NO_WRITE,
      'write',
      '/opt/sandbox/violation-listener.py',
    ),
    attempt('E75 cannot write outside its tree', NO_WRITE, 'write', '/outside'),
    attempt('E75 cannot leave its tree by dots', NO_WRITE, 'write', '/work/../outside'),
    attempt('E77 cannot make itself a user', NO_WRITE, 'write', '/etc/passwd'),
    attempt(
      'E89 cannot change kernel settings',
      [...NO_WRITE],
      'write',
      '/proc/sys/kernel/core_pattern',
    ),
    attempt('E89 cannot press the system key', [...NO_WRITE], 'write', '/proc/sysrq-trigger'),
    attempt(
      'E75 cannot give a host file a second name',
      ['EXDEV', 'EPERM'],
      'link',
      '/usr/bin/env',
      '/work/env',
    ),
    attempt(
      'E75 cannot take its tree away',
      ['EBUSY', 'EROFS', 'EACCES', 'EPERM'],
      'rename',
      '/work',
      '/moved',
    ),
    permit('E79 can write in its tree', null, 'write', '/work/file'),
    permit('E79 can write in bounded scratch', null, 'write', '/tmp/file'),
    attempt('E89 finds no disk', GONE, 'read', '/dev/vda'),
    attempt('E89 finds no memory device', GONE, 'read', '/dev/mem'),
    attempt('E89 finds no kernel log', GONE, 'read', '/dev/kmsg'),
    attempt('E89 cannot add a device', NO_WRITE, 'write', '/dev/new'),
    permit('E89 can read the zero device', '\0'.repeat(200), 'read', '/dev/zero'),
  ];
}
