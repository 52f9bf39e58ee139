import { describe, expect, it } from 'vitest';

import { DEFAULT_SANDBOX_LIMITS } from '../../../executor-task/sandbox/policy/sandbox-limits.ts';
import { buildFargateLaunch } from '../../../executor-task/sandbox/profiles/fargate.ts';
import { buildNamespacedLaunch } from '../../../executor-task/sandbox/profiles/namespaced.ts';
import type { SandboxIdentity } from '../../../executor-task/sandbox/sandbox-identity.ts';

const COMMAND = {
  argv: ['/opt/node/bin/node', 'tool.mjs'],
  environment: { COLOUR: 'none-of-your-business' },
  readOnlyMounts: [{ source: '/srv/tools', target: '/opt/environment' }],
  limits: DEFAULT_SANDBOX_LIMITS,
};

function launchAs(identity: SandboxIdentity) {
  const launch = buildNamespacedLaunch(
    {
      identity,
      holderPid: 4711,
      treeFolder: '/tmp/tree/work',
      nodeBinary: '/somewhere/node',
      listenerProgram: 'print()',
    },
    COMMAND,
  );
  const shown = launch.files[3]?.split('\0') ?? [];
  return { launch, shown, text: shown.join(' ') };
}

describe('the namespaced launch of root', () => {
  const { launch, shown, text } = launchAs({ kind: 'leased', uid: 61_200 });

  it('E77 changes to the attempt’s user inside, with no way back', () => {
    const argv = launch.argv.join(' ');
    expect(argv).toContain('--reuid 61200 --regid 61200 --clear-groups --no-new-privs');
    expect(text).toContain('--cap-drop ALL --cap-add CAP_SETUID --cap-add CAP_SETGID');
    expect(shown).not.toContain('--unshare-user');
  });

  it('E78 gives every namespace of its own and dies with its parent', () => {
    for (const option of ['pid', 'net', 'ipc', 'uts'])
      expect(shown).toContain(`--unshare-${option}`);
    expect(shown).toEqual(expect.arrayContaining(['--die-with-parent', '--new-session']));
  });

  it('E79 mounts the tree for writing and everything else for reading', () => {
    expect(text).toContain('--bind /tmp/tree/work /work');
    expect(shown.filter((argument) => argument === '--bind')).toHaveLength(1);
    expect(text).toContain('--ro-bind /srv/tools /opt/environment');
    expect(text).toContain('--remount-ro / ');
  });

  it('E88 limits each process before bubblewrap starts', () => {
    const argv = launch.argv.join(' ');
    expect(argv).toMatch(
      /prlimit --core=0:0 --cpu=600:600 .* --nproc=288:288 -- \/usr\/bin\/bwrap/,
    );
  });

  it('E85 keeps environment values and host paths out of the process list', () => {
    expect(launch.argv.join(' ')).not.toMatch(/none-of-your-business|somewhere|srv/);
    expect(text).toContain('--clearenv');
    expect(text).toContain('--setenv COLOUR none-of-your-business');
  });
});

describe('the namespaced launch of an ordinary user', () => {
  const { launch, shown, text } = launchAs({ kind: 'caller', uid: 1000 });

  it('E77 shows another user in a user namespace that makes no further one', () => {
    expect(text).toContain('--unshare-user --uid 60001 --gid 60001 --disable-userns');
    expect(launch.argv).not.toContain('/usr/bin/setpriv');
    expect(shown).not.toContain('--cap-add');
  });

  it('E88 enters the holder’s user namespace, and leaves the process count to the watch', () => {
    expect(launch.argv).toContain('--user=/proc/4711/ns/user');
    expect(launch.argv).toContain('--nproc=4096:4096');
  });
});

describe('the fargate launch', () => {
  const place = {
    uid: 61_200,
    treeFolder: '/work',
    listenerPath: '/opt/windlass/violation-listener.py',
  };

  it('E77 changes to the attempt’s user and starts with its environment alone', () => {
    const argv = buildFargateLaunch({ ...place, hasLandlock: false }, COMMAND).argv.join(' ');
    expect(argv).toContain('--reuid 61200 --regid 61200 --clear-groups --no-new-privs');
    expect(argv).toContain(
      '/usr/bin/env -i -C /work COLOUR=none-of-your-business /usr/bin/python3',
    );
    expect(argv).not.toContain('landlock');
  });

  it('E80 asks for Landlock where the kernel has it, with /usr for reading only', () => {
    const { argv } = buildFargateLaunch({ ...place, hasLandlock: true }, COMMAND);
    expect(argv).toContain('--landlock-access');
    expect(argv).toContain('path-beneath:execute,read-file,read-dir:/usr');
    expect(argv).toContain('path-beneath:write:/work');
    expect(argv).not.toContain('path-beneath:write:/usr');
  });
});
