import { readFile, stat } from 'node:fs/promises';

import type { Sandbox } from './open-sandbox.ts';
import { buildFargateLaunch } from './profiles/fargate.ts';
import { buildNamespacedLaunch } from './profiles/namespaced.ts';
import type { SandboxCommand, SandboxLaunch } from './sandbox-launch.ts';
import { LISTENER_PATH } from './start-listener.ts';

const BASE_ENVIRONMENT = {
  PATH: '/opt/node/bin:/usr/bin:/bin',
  HOME: '/tmp',
  TMPDIR: '/tmp',
  LANG: 'C.UTF-8',
  npm_config_offline: 'true',
};

/** The launch of a command in its sandbox's profile. On Fargate what is mounted elsewhere must lie there already. */
export async function buildLaunch(sandbox: Sandbox, given: SandboxCommand): Promise<SandboxLaunch> {
  const command = { ...given, environment: { ...BASE_ENVIRONMENT, ...given.environment } };
  switch (sandbox.profile) {
    case 'namespaced':
      return buildNamespacedLaunch(
        {
          identity: sandbox.identity,
          holderPid: sandbox.tree.holderPid,
          treeFolder: sandbox.tree.insideFolder,
          nodeBinary: sandbox.nodeBinary,
          listenerProgram: await readFile(LISTENER_PATH, 'utf8'),
        },
        command,
      );
    case 'fargate': {
      for (const mount of command.readOnlyMounts) await stat(mount.target);
      const { uid } = sandbox.identity;
      return buildFargateLaunch(
        {
          uid,
          treeFolder: sandbox.tree.insideFolder,
          listenerPath: LISTENER_PATH,
          hasLandlock: sandbox.hasLandlock,
        },
        command,
      );
    }
  }
}
