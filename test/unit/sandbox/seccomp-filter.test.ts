import { describe, expect, it } from 'vitest';

import { SANDBOX_POLICY } from '../../../executor-task/sandbox/policy/sandbox-policy.ts';
import { RETURN } from '../../../executor-task/sandbox/seccomp/filter-answer.ts';
import {
  generateFilter,
  type FilterOptions,
} from '../../../executor-task/sandbox/seccomp/generate-filter.ts';
import {
  AUDIT_ARCHITECTURE,
  readSyscallTable,
  type Architecture,
} from '../../../executor-task/sandbox/seccomp/syscall-table.ts';
import { interpretFilter } from './interpret-filter.ts';

const ERROR = { EPERM: 0x50001, ENOSYS: 0x50026, EOPNOTSUPP: 0x5005f, EAFNOSUPPORT: 0x50061 };
const ARCHITECTURES = ['x86_64', 'aarch64'] as const;
const HIGH_BITS = 1n << 32n;

function makeProbe(architecture: Architecture, options: Partial<FilterOptions> = {}) {
  const filter = generateFilter(SANDBOX_POLICY, {
    architecture,
    hostileAction: 'notify',
    hasMemoryGroup: true,
    ...options,
  });
  const table = readSyscallTable(architecture);
  const callNumber = (syscall: number, ...args: bigint[]): number =>
    interpretFilter(filter, {
      syscall,
      architecture: AUDIT_ARCHITECTURE[architecture],
      arguments: args,
    });
  const call = (name: string, ...args: bigint[]): number => callNumber(table.get(name)!, ...args);
  return { filter, table, call, callNumber };
}

describe.each(ARCHITECTURES)('the seccomp program of %s', (architecture) => {
  const probe = makeProbe(architecture);
  const ruled = new Set<string>(SANDBOX_POLICY.argumentRules.flatMap((rule) => rule.syscalls));
  const present = (names: readonly string[]) => names.filter((name) => probe.table.has(name));

  it('E89 reports every hostile system call of the policy', () => {
    const names = present(SANDBOX_POLICY.refused.hostile);
    expect(names.length).toBeGreaterThan(30);
    for (const name of names) expect([name, probe.call(name)]).toEqual([name, RETURN.notify]);
  });

  it('E89 kills at every hostile system call where no listener can be', () => {
    const alone = makeProbe(architecture, { hostileAction: 'kill' });
    for (const name of present(SANDBOX_POLICY.refused.hostile)) {
      expect([name, alone.call(name)]).toEqual([name, RETURN.killProcess]);
    }
  });

  it.each(['EPERM', 'ENOSYS', 'EOPNOTSUPP'] as const)(
    'E89 answers its %s class quietly',
    (answer) => {
      const names = present(SANDBOX_POLICY.refused[answer]);
      expect(names).not.toEqual([]);
      for (const name of names) expect([name, probe.call(name)]).toEqual([name, ERROR[answer]]);
    },
  );

  it('E89 allows every other system call of the table, and nothing outside it', () => {
    const refused = new Set<string>([...Object.values(SANDBOX_POLICY.refused).flat(), ...ruled]);
    const numbers = new Set(probe.table.values());
    for (const [name, number] of probe.table) {
      if (!refused.has(name)) {
        expect([name, probe.callNumber(number)]).toEqual([name, RETURN.allow]);
      }
    }
    for (let number = 0; number < 2000; number += 1) {
      if (!numbers.has(number)) expect(probe.callNumber(number)).toBe(ERROR.ENOSYS);
    }
    expect(probe.callNumber(0xffff_ffff)).toBe(ERROR.ENOSYS);
  });

  it('E86 opens Unix sockets and no other family, whatever stands in the upper half', () => {
    for (const name of ['socket', 'socketpair']) {
      expect(probe.call(name, 1n)).toBe(RETURN.allow);
      expect(probe.call(name, 1n + HIGH_BITS)).toBe(RETURN.allow);
      for (let family = 0n; family < 50n; family += 1n) {
        if (family === 1n) continue;
        expect(probe.call(name, family)).toBe(ERROR.EAFNOSUPPORT);
        expect(probe.call(name, family + HIGH_BITS)).toBe(ERROR.EAFNOSUPPORT);
      }
    }
  });

  it('E78 refuses every namespace flag of clone and unshare, and lets threads and forks be', () => {
    const flags = [0x20000n, 0x2000000n, 0x4000000n, 0x8000000n, 0x10000000n, 0x20000000n];
    for (const flag of [...flags, 0x40000000n]) {
      expect(probe.call('clone', flag | 17n)).toBe(ERROR.EPERM);
      expect(probe.call('unshare', flag)).toBe(ERROR.EPERM);
    }
    expect(probe.call('unshare', 0x80n)).toBe(ERROR.EPERM);
    expect(probe.call('unshare', 0x400n)).toBe(RETURN.allow);
    expect(probe.call('clone', 17n)).toBe(RETURN.allow);
    expect(probe.call('clone', 0x3d0f00n)).toBe(RETURN.allow);
    expect(probe.call('clone3')).toBe(ERROR.ENOSYS);
  });

  it('E89 reports terminal injection and allows other terminal requests', () => {
    for (const request of [0x5412n, 0x541cn]) {
      expect(probe.call('ioctl', 0n, request)).toBe(RETURN.notify);
      expect(probe.call('ioctl', 0n, request + HIGH_BITS)).toBe(RETURN.notify);
    }
    expect(probe.call('ioctl', 0n, 0x5401n)).toBe(RETURN.allow);
    expect(probe.call('ioctl', 0x5412n, 0x5413n)).toBe(RETURN.allow);
  });

  it('E94 refuses a listener of the command’s own and allows a filter of its own', () => {
    expect(probe.call('seccomp', 1n, 8n)).toBe(ERROR.EPERM);
    expect(probe.call('seccomp', 1n, 0x3fn)).toBe(ERROR.EPERM);
    expect(probe.call('seccomp', 1n, 8n + HIGH_BITS)).toBe(ERROR.EPERM);
    expect(probe.call('seccomp', 1n, 0n)).toBe(RETURN.allow);
    expect(probe.call('seccomp', 1n, 1n)).toBe(RETURN.allow);
  });

  it('E89 refuses device nodes and allows FIFOs and files', () => {
    for (const type of [0x2000n, 0x6000n]) {
      expect(probe.call('mknodat', 0n, 0n, type | 0o666n)).toBe(ERROR.EPERM);
      if (probe.table.has('mknod')) {
        expect(probe.call('mknod', 0n, type | 0o666n)).toBe(ERROR.EPERM);
      }
    }
    for (const type of [0x1000n, 0x8000n, 0xc000n, 0n]) {
      expect(probe.call('mknodat', 0n, 0n, type | 0o666n)).toBe(RETURN.allow);
    }
  });

  it('E89 allows plain personalities and refuses odd ones', () => {
    expect(probe.call('personality', 0n)).toBe(RETURN.allow);
    expect(probe.call('personality', 0xffff_ffffn)).toBe(RETURN.allow);
    expect(probe.call('personality', 0x40000n)).toBe(ERROR.EPERM);
  });

  it('E88 refuses anonymous memory files only where no memory group counts them', () => {
    const uncounted = makeProbe(architecture, { hasMemoryGroup: false });
    for (const name of ['memfd_create', 'memfd_secret']) {
      expect(uncounted.call(name)).toBe(ERROR.ENOSYS);
      expect(probe.call(name)).toBe(RETURN.allow);
    }
  });

  it('E89 stops every call of another architecture', () => {
    const others = [
      AUDIT_ARCHITECTURE.x86_64,
      AUDIT_ARCHITECTURE.aarch64,
      0x4000_0003,
      0x4000_0028,
    ];
    for (const other of others) {
      if (other === AUDIT_ARCHITECTURE[architecture]) continue;
      expect(interpretFilter(probe.filter, { syscall: 0, architecture: other })).toBe(
        RETURN.notify,
      );
    }
  });

  it('E89 fits the kernel’s limit of 4096 instructions with room', () => {
    expect(probe.filter.byteLength / 8).toBeLessThan(400);
  });
});

describe('the seccomp program', () => {
  it('E89 stops x32 calls on x86_64', () => {
    const { callNumber, table } = makeProbe('x86_64');
    for (const number of table.values())
      expect(callNumber(0x4000_0000 + number)).toBe(RETURN.notify);
    expect(callNumber(table.get('read')!)).toBe(RETURN.allow);
  });

  it('E89 names no system call that neither architecture has', () => {
    const known = new Set(ARCHITECTURES.flatMap((each) => [...readSyscallTable(each).keys()]));
    const named = [
      ...Object.values(SANDBOX_POLICY.refused).flat(),
      ...SANDBOX_POLICY.refusedWithoutMemoryGroup,
      ...SANDBOX_POLICY.argumentRules.flatMap((rule) => rule.syscalls),
    ];
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});
