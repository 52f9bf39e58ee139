import type { SyscallAnswer } from '../policy/sandbox-policy.ts';

/** Who stops a hostile call: the listener that records it, or the kernel at once. */
export type HostileAction = 'notify' | 'kill';

/** SECCOMP_RET_… values (linux/seccomp.h). */
export const RETURN = {
  killProcess: 0x8000_0000,
  notify: 0x7fc0_0000,
  allow: 0x7fff_0000,
  error: 0x0005_0000,
} as const;

const ERROR_NUMBER = { EPERM: 1, ENOSYS: 38, EOPNOTSUPP: 95, EAFNOSUPPORT: 97 } as const;

/** The 32-bit value that a filter returns for an answer of the policy. */
export function encodeAnswer(answer: SyscallAnswer | 'allow', hostile: HostileAction): number {
  switch (answer) {
    case 'allow':
      return RETURN.allow;
    case 'hostile':
      return hostile === 'notify' ? RETURN.notify : RETURN.killProcess;
    case 'EPERM':
    case 'ENOSYS':
    case 'EOPNOTSUPP':
    case 'EAFNOSUPPORT':
      return RETURN.error | ERROR_NUMBER[answer];
  }
}
