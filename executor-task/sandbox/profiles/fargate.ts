import type { SandboxCommand, SandboxLaunch } from '../sandbox-launch.ts';
import { countUserProcesses, PYTHON, renderLimitArgv, renderUserArgv } from './launch-parts.ts';

export interface FargatePlace {
  readonly uid: number;
  /** The working tree, in which the command starts. */
  readonly treeFolder: string;
  /** Where the image has the violation listener, readable by everyone. */
  readonly listenerPath: string;
  /** Whether the kernel has Landlock; setpriv fails where it is asked for in vain. */
  readonly hasLandlock: boolean;
}

const DESCRIPTOR = { status: 4, channel: 5 };

const READABLE = ['/usr', '/opt', '/etc', '/lib', '/lib64', '/bin', '/proc', '/dev', '/work'];
const WRITABLE = ['/work', '/tmp', '/dev/null', '/dev/zero', '/dev/full'];

/**
 * How to start a command in the workbench container, which is the mount boundary: no user namespace can be made there,
 * so user, filter and limits hold it, and Landlock on top where the kernel has it.
 */
export function buildFargateLaunch(place: FargatePlace, command: SandboxCommand): SandboxLaunch {
  const environment = Object.entries(command.environment).map(
    ([name, value]) => `${name}=${value}`,
  );
  const user = renderUserArgv(place.uid);
  const landlock = place.hasLandlock ? renderLandlock() : [];
  return {
    argv: [
      ...renderLimitArgv(command.limits, countUserProcesses(command.limits)),
      ...user.slice(0, -1),
      ...landlock,
      '--',
      ...['/usr/bin/env', '-i', '-C', place.treeFolder, ...environment],
      ...[PYTHON, '-I', '-S', place.listenerPath, 'install', String(DESCRIPTOR.channel)],
      ...command.argv,
    ],
    channel: DESCRIPTOR.channel,
    status: DESCRIPTOR.status,
    files: {},
  };
}

function renderLandlock(): string[] {
  return [
    ...['--landlock-access', 'fs'],
    ...READABLE.flatMap((path) => [
      '--landlock-rule',
      `path-beneath:execute,read-file,read-dir:${path}`,
    ]),
    ...WRITABLE.flatMap((path) => ['--landlock-rule', `path-beneath:write:${path}`]),
  ];
}
