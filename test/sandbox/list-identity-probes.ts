import { attempt, permit, type Probe } from './probe.ts';

/** Probes of who a command is and what it may run. */
export function listIdentityProbes(): Probe[] {
  return [
    attempt('E77 cannot become root', ['EPERM', 'EINVAL'], 'become', '0'),
    attempt('E77 cannot become another user', ['EPERM', 'EINVAL'], 'become', '1000'),
    attempt('E77 cannot signal its supervisor', ['ESRCH'], 'signal_process', String(process.pid)),
    {
      // An ordinary user's command shares its kernel user with the first process, which started with nothing.
      ...attempt(
        'E85 finds nothing in the first process’s environment',
        [],
        'read',
        '/proc/1/environ',
      ),
      expected: { denied: ['EACCES', 'EPERM'], orValue: '' },
    },
    permit('E77 can fork, run shells and threads', ['ran'], 'thread'),
    permit('E80 can run bash', 'fine', 'run', '/bin/bash', '-c', 'echo fine'),
    permit('E80 can run Node', '42', 'run', '/opt/node/bin/node', '-p', '6*7'),
    permit(
      'E80 can run git',
      'true',
      'run',
      '/bin/sh',
      '-c',
      'cd /tmp && git init -q r && git -C r rev-parse --is-inside-work-tree',
    ),
  ];
}
