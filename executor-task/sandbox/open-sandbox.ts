import { chooseProfile, type ProfileWish } from './choose-profile.ts';
import { inspectHost, type HostFacts } from './inspect-host.ts';
import {
  DEFAULT_LEASE_FOLDER,
  DEFAULT_USER_RANGE,
  leaseUser,
  type UserRange,
} from './lease-user.ts';
import type { UserLease } from './lease-user.ts';
import { openContainerTree } from './open-container-tree.ts';
import { openTree, type SandboxTree } from './open-tree.ts';
import type { ProfileName } from './choose-profile.ts';
import type { SandboxIdentity } from './sandbox-identity.ts';
import type { SandboxLimits } from './policy/sandbox-limits.ts';
import type { Architecture } from './seccomp/syscall-table.ts';

export interface SandboxOptions extends ProfileWish {
  readonly limits: SandboxLimits;
  readonly leaseFolder?: string;
  readonly userRange?: UserRange;
  /** The `node` that commands see at /opt/node/bin/node. */
  readonly nodeBinary?: string;
}

/** One attempt's sandbox: a tree and a kernel identity, in which commands run one after another. */
export interface Sandbox {
  readonly profile: ProfileName;
  readonly architecture: Architecture;
  readonly identity: SandboxIdentity;
  readonly hasLandlock: boolean;
  readonly limits: SandboxLimits;
  readonly nodeBinary: string;
  readonly tree: SandboxTree;
  /** Removes the tree and gives the user back; call it when no command runs. */
  readonly close: () => Promise<void>;
}

export type OpenedSandbox =
  | { readonly kind: 'opened'; readonly sandbox: Sandbox }
  | {
      readonly kind: 'refused';
      readonly profile: ProfileName;
      readonly reasons: readonly string[];
    };

/**
 * Opens a sandbox of the wished profile, or says why this machine cannot give all its guarantees.
 * @throws UserLeaseError, TreeError when the machine could, but fails to.
 */
export async function openSandbox(
  options: SandboxOptions,
  host?: HostFacts,
): Promise<OpenedSandbox> {
  const facts = host ?? (await inspectHost());
  const choice = chooseProfile(options, facts);
  if (choice.kind === 'refused') return choice;
  const lease = await takeUser(choice.profile, facts.uid, options);
  const identity: SandboxIdentity =
    lease === undefined ? { kind: 'caller', uid: facts.uid } : { kind: 'leased', uid: lease.uid };
  try {
    const tree = await openTreeOf(choice.profile, identity, options.limits);
    const sandbox: Sandbox = {
      profile: choice.profile,
      architecture: choice.architecture,
      identity,
      hasLandlock: facts.hasLandlock,
      limits: options.limits,
      nodeBinary: options.nodeBinary ?? process.execPath,
      tree,
      close: async () => {
        await tree.close();
        await lease?.release();
      },
    };
    return { kind: 'opened', sandbox };
  } catch (error) {
    await lease?.release();
    throw error;
  }
}

/** Undefined for an ordinary user, who has none to give. */
async function takeUser(
  profile: ProfileName,
  uid: number,
  options: SandboxOptions,
): Promise<UserLease | undefined> {
  const range = options.userRange ?? DEFAULT_USER_RANGE;
  switch (profile) {
    case 'namespaced':
      return uid === 0 ? leaseUser(options.leaseFolder ?? DEFAULT_LEASE_FOLDER, range) : undefined;
    case 'fargate':
      // A container runs one attempt, and its root file system is read-only.
      return { uid: range.firstUid, release: () => Promise.resolve() };
  }
}

function openTreeOf(
  profile: ProfileName,
  identity: SandboxIdentity,
  limits: SandboxLimits,
): Promise<SandboxTree> {
  switch (profile) {
    case 'namespaced':
      return openTree(identity, { bytes: limits.treeBytes, entries: limits.treeEntries });
    case 'fargate':
      return openContainerTree();
  }
}
