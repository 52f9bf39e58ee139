import { pinnedNodeFolder } from '../repository-paths.ts';
import { localiseApiUrl } from '../localise-api-url.ts';
import type { ContainerProgram } from './container-programs.ts';
import type { ContainerDefinition, TaskRecord } from './task-record.ts';

export interface ContainerSurroundings {
  endpoint: string;
  certificate: string;
  region: string;
  instanceId: string;
  /** Folder that all containers of the task see. */
  exchange: string;
  /** Private to the container. */
  temporaryFolder: string;
  environmentsFolder: string;
  /** Kernel user for the commands of this task; undefined where there is only the caller's. */
  sandboxUid: number | undefined;
}

/**
 * All variables of a container: those of the task definition, the overrides of RunTask, and what
 * stands in for the network, volumes and image of the real service. Nothing of this process's own.
 */
export function composeContainerEnvironment(
  task: TaskRecord,
  definition: ContainerDefinition,
  program: ContainerProgram,
  surroundings: ContainerSurroundings,
): Record<string, string> {
  const override = task.overrides.containerOverrides.find(({ name }) => name === definition.name);
  const declared = [...definition.environment, ...(override?.environment ?? [])];
  const { endpoint, certificate, region } = surroundings;
  const network: Record<string, string> =
    program.network === 'host'
      ? {
          AWS_ENDPOINT_URL: endpoint,
          AWS_ENDPOINT_URL_S3: endpoint,
          AWS_REGION: region,
          NODE_EXTRA_CA_CERTS: certificate,
        }
      : {};
  const sandbox: Record<string, string> = program.isEnvironment
    ? {
        WINDLASS_SANDBOX_PROFILE: 'namespaced',
        WINDLASS_ENVIRONMENTS: surroundings.environmentsFolder,
        ...(surroundings.sandboxUid === undefined
          ? {}
          : { WINDLASS_SANDBOX_FIRST_UID: String(surroundings.sandboxUid) }),
      }
    : {};
  return {
    PATH: `${pinnedNodeFolder}:/usr/local/bin:/usr/bin:/bin`,
    HOME: surroundings.temporaryFolder,
    TMPDIR: surroundings.temporaryFolder,
    LANG: 'C.UTF-8',
    ...Object.fromEntries(
      declared.map(({ name, value }) => [name, localiseApiUrl(value, endpoint)]),
    ),
    ...network,
    ...sandbox,
    WINDLASS_EXCHANGE: surroundings.exchange,
    WINDLASS_INSTANCE: surroundings.instanceId,
  };
}
