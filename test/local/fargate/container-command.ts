import type { ContainerProgram } from './container-programs.ts';

export interface ContainerPlace {
  /** Absolute path of the bundled JavaScript. */
  script: string;
  node: string;
  exchange: string;
  temporaryFolder: string;
  /** Holds secrets of local stacks; a container without network sees only its own folders there. */
  hiddenFolder: string;
}

/** Descriptor on which bubblewrap tells the process id of the container's init. */
export const informationDescriptor = 3;

/**
 * Arguments of bubblewrap. The process namespace is what makes an end certain: when its init dies
 * the kernel kills all of it, and the init dies with bubblewrap, which dies with local Fargate.
 * No variable stands here, as arguments can be read by every user of the machine.
 */
export function composeContainerCommand(
  program: ContainerProgram,
  place: ContainerPlace,
  isRoot: boolean,
): string[] {
  const own = [place.exchange, place.temporaryFolder];
  return [
    // An ordinary user gets namespaces only inside a user namespace. Root keeps its capabilities,
    // which the sandbox that the workbench builds needs.
    ...(isRoot ? [] : ['--unshare-user']),
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    ...(program.network === 'none' ? ['--unshare-net'] : []),
    '--die-with-parent',
    '--new-session',
    ...['--dev-bind', '/', '/', '--proc', '/proc'],
    ...(program.network === 'none'
      ? ['--tmpfs', place.hiddenFolder, ...own.flatMap((folder) => ['--bind', folder, folder])]
      : []),
    ...['--chdir', place.temporaryFolder],
    ...['--info-fd', String(informationDescriptor)],
    ...['--', place.node, place.script],
  ];
}
