import type { ArgumentRule, SandboxPolicy, SyscallAnswer } from '../policy/sandbox-policy.ts';
import { encodeAnswer, type HostileAction } from './filter-answer.ts';
import {
  ARGUMENT_BYTES,
  DATA_OFFSET,
  encodeFilter,
  OPCODE,
  type FilterInstruction,
} from './filter-instruction.ts';
import { AUDIT_ARCHITECTURE, readSyscallTable, type Architecture } from './syscall-table.ts';

export interface FilterOptions {
  readonly architecture: Architecture;
  readonly hostileAction: HostileAction;
  /** Whether a memory cgroup counts what the command holds. */
  readonly hasMemoryGroup: boolean;
}

type Verdict = SyscallAnswer | 'allow' | ArgumentRule;

/** From `first` up to the next interval's `first` the verdict is the same. */
interface Interval {
  readonly first: number;
  readonly verdict: Verdict;
}

const X32_FIRST = 0x4000_0000;
const X32_END = 0x8000_0000;

/** The seccomp program of a policy for one architecture, as bytes for the kernel (E89). */
export function generateFilter(policy: SandboxPolicy, options: FilterOptions): Uint8Array {
  const { architecture, hostileAction } = options;
  const intervals = listIntervals(policy, options);
  const program: FilterInstruction[] = [
    load(DATA_OFFSET.architecture),
    jump(OPCODE.jumpIfEqual, AUDIT_ARCHITECTURE[architecture], 1, 0),
    answer('hostile', hostileAction),
    load(DATA_OFFSET.syscall),
    ...searchIntervals(intervals, hostileAction),
  ];
  return encodeFilter(program);
}

function listIntervals(policy: SandboxPolicy, options: FilterOptions): Interval[] {
  const table = readSyscallTable(options.architecture);
  const verdicts = nameVerdicts(policy, options.hasMemoryGroup);
  const byNumber = new Map<number, Verdict>();
  for (const [name, number] of table) byNumber.set(number, verdicts.get(name) ?? 'allow');
  const end = Math.max(...byNumber.keys()) + 1;
  const intervals: Interval[] = [];
  for (let number = 0; number < end; number += 1) {
    // A hole in the table is a call that a later kernel may fill.
    const verdict = byNumber.get(number) ?? 'ENOSYS';
    if (intervals.at(-1)?.verdict !== verdict) intervals.push({ first: number, verdict });
  }
  if (intervals.at(-1)?.verdict !== 'ENOSYS') intervals.push({ first: end, verdict: 'ENOSYS' });
  if (options.architecture === 'x86_64') {
    intervals.push({ first: X32_FIRST, verdict: 'hostile' }, { first: X32_END, verdict: 'ENOSYS' });
  }
  return intervals;
}

function nameVerdicts(policy: SandboxPolicy, hasMemoryGroup: boolean): Map<string, Verdict> {
  const verdicts = new Map<string, Verdict>();
  const answers = ['hostile', 'EPERM', 'ENOSYS', 'EAFNOSUPPORT', 'EOPNOTSUPP'] as const;
  for (const each of answers) {
    for (const name of policy.refused[each]) verdicts.set(name, each);
  }
  for (const rule of policy.argumentRules) {
    for (const name of rule.syscalls) verdicts.set(name, rule);
  }
  if (!hasMemoryGroup) {
    for (const name of policy.refusedWithoutMemoryGroup) verdicts.set(name, 'ENOSYS');
  }
  return verdicts;
}

function searchIntervals(
  intervals: readonly Interval[],
  hostileAction: HostileAction,
): FilterInstruction[] {
  const only = intervals[0];
  if (only === undefined) return [];
  if (intervals.length === 1) return renderVerdict(only.verdict, hostileAction);
  const middle = intervals.length >> 1;
  const lower = searchIntervals(intervals.slice(0, middle), hostileAction);
  const upper = intervals.slice(middle);
  const pivot = upper[0]?.first ?? 0;
  return [
    jump(OPCODE.jumpIfAtLeast, pivot, lower.length, 0),
    ...lower,
    ...searchIntervals(upper, hostileAction),
  ];
}

function renderVerdict(verdict: Verdict, hostileAction: HostileAction): FilterInstruction[] {
  if (typeof verdict === 'string') return [answer(verdict, hostileAction)];
  const { values } = verdict;
  const [onMatch, otherwise] =
    verdict.refuseWhen === 'one-of'
      ? ([verdict.answer, 'allow'] as const)
      : (['allow', verdict.answer] as const);
  return [
    load(DATA_OFFSET.firstArgument + verdict.argument * ARGUMENT_BYTES),
    { code: OPCODE.and, jumpTrue: 0, jumpFalse: 0, operand: verdict.mask >>> 0 },
    ...values.map((value, index) => jump(OPCODE.jumpIfEqual, value, values.length - index, 0)),
    answer(otherwise, hostileAction),
    answer(onMatch, hostileAction),
  ];
}

function load(offset: number): FilterInstruction {
  return { code: OPCODE.load, jumpTrue: 0, jumpFalse: 0, operand: offset };
}

function jump(
  code: number,
  operand: number,
  jumpTrue: number,
  jumpFalse: number,
): FilterInstruction {
  return { code, jumpTrue, jumpFalse, operand: operand >>> 0 };
}

function answer(verdict: SyscallAnswer | 'allow', hostileAction: HostileAction): FilterInstruction {
  const operand = encodeAnswer(verdict, hostileAction);
  return { code: OPCODE.answer, jumpTrue: 0, jumpFalse: 0, operand };
}
