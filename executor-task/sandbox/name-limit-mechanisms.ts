import type { LimitGroup } from './limit-group.ts';
import type { Sandbox } from './open-sandbox.ts';

/** By which means each limit held, for the attempt's record (E88). */
export interface LimitMechanisms {
  readonly wall: 'timer';
  readonly cpu: 'rlimit and poll';
  readonly memory: LimitGroup['mechanism'] | 'rlimit and poll';
  readonly processes: LimitGroup['mechanism'] | 'rlimit of the user' | 'poll';
  readonly descriptors: 'rlimit';
  readonly fileSize: 'rlimit';
  readonly tree: 'sized tmpfs' | 'poll';
}

export function nameLimitMechanisms(
  sandbox: Sandbox,
  group: LimitGroup | undefined,
): LimitMechanisms {
  const withoutGroup = sandbox.identity.kind === 'leased' ? 'rlimit of the user' : 'poll';
  return {
    wall: 'timer',
    cpu: 'rlimit and poll',
    memory: group?.mechanism ?? 'rlimit and poll',
    processes: group?.holdsProcesses === true ? group.mechanism : withoutGroup,
    descriptors: 'rlimit',
    fileSize: 'rlimit',
    tree: sandbox.profile === 'namespaced' ? 'sized tmpfs' : 'poll',
  };
}
