import { describe, expect, it } from 'vitest';

import { chooseProfile } from '../../../executor-task/sandbox/choose-profile.ts';
import type { HostFacts } from '../../../executor-task/sandbox/inspect-host.ts';

const LAPTOP: HostFacts = {
  platform: 'linux',
  architecture: 'x86_64',
  uid: 0,
  capabilities: 0x1ff_ffff_ffffn,
  hasSeccompListener: true,
  programs: new Set(['bwrap', 'setpriv', 'prlimit', 'nsenter', 'unshare', 'python3']),
  utilLinux: [2, 38],
  bubblewrap: [0, 8],
  hasUserNamespaces: true,
  isRootReadOnly: false,
  hasLandlock: false,
};

const CONTAINER: HostFacts = {
  ...LAPTOP,
  capabilities: 0b1110_0000n,
  programs: new Set(['setpriv', 'prlimit', 'python3']),
  utilLinux: [2, 41],
  hasUserNamespaces: false,
  isRootReadOnly: true,
};

const NAMESPACED = { profile: 'namespaced', requiresOwnUser: true } as const;
const FARGATE = { profile: 'fargate', requiresOwnUser: true } as const;

function explain(...[wish, host]: Parameters<typeof chooseProfile>): string {
  const choice = chooseProfile(wish, host);
  return choice.kind === 'refused' ? choice.reasons.join('\n') : 'chosen';
}

describe('choosing a profile', () => {
  it('E76 chooses the wished profile where each guarantee is given', () => {
    expect(explain(NAMESPACED, LAPTOP)).toBe('chosen');
    expect(explain(FARGATE, CONTAINER)).toBe('chosen');
  });

  it('E76 never falls back to the other profile', () => {
    expect(explain(FARGATE, LAPTOP)).toMatch(/root file system is writable/);
    expect(explain(NAMESPACED, CONTAINER)).toMatch(
      /bwrap is missing: install the package bubblewrap/,
    );
  });

  it('E76 refuses each missing guarantee by name', () => {
    expect(explain(FARGATE, { ...CONTAINER, utilLinux: [2, 40] })).toMatch(/2\.40.*2\.41 or later/);
    expect(explain(FARGATE, { ...CONTAINER, utilLinux: [3, 0] })).toBe('chosen');
    expect(explain(FARGATE, { ...CONTAINER, capabilities: 0n })).toMatch(/CAP_KILL[^]*CAP_SETUID/);
    expect(explain(NAMESPACED, { ...LAPTOP, hasSeccompListener: false })).toMatch(
      /seccomp listener/,
    );
    expect(explain(NAMESPACED, { ...LAPTOP, bubblewrap: [0, 7] })).toMatch(/0\.7; 0\.8 or later/);
    expect(explain(NAMESPACED, { ...LAPTOP, capabilities: 0n })).toMatch(/CAP_SYS_ADMIN/);
    expect(explain(NAMESPACED, { ...LAPTOP, architecture: undefined })).toMatch(/aarch64/);
    expect(explain(NAMESPACED, { ...LAPTOP, platform: 'darwin' })).toMatch(/this is darwin/);
    const programs = new Set(['bwrap', 'nsenter', 'unshare', 'setpriv', 'prlimit']);
    expect(explain(NAMESPACED, { ...LAPTOP, programs })).toMatch(/python3 is missing/);
  });

  it('E77 takes an ordinary user only where no user of the attempt’s own is demanded', () => {
    const ordinary = { ...LAPTOP, uid: 1000 };
    expect(explain(NAMESPACED, ordinary)).toMatch(/a user of its own/);
    expect(explain({ ...NAMESPACED, requiresOwnUser: false }, ordinary)).toBe('chosen');
  });
});
