/** What stands for the image of a container, by the container's name in the task definition. */
export interface ContainerProgram {
  /** Bundled JavaScript, relative to the root of the repository, or absolute. */
  script: string;
  /** `none`: a network namespace of its own, with nothing in it. */
  network: 'host' | 'none';
  /** Its image is an environment version, so the digest must be one of the built environments. */
  isEnvironment: boolean;
}

export type ContainerPrograms = Record<string, ContainerProgram>;

export const containerPrograms: ContainerPrograms = {
  courier: {
    script: 'dist/executor-task/courier.mjs',
    network: 'host',
    isEnvironment: false,
  },
  workbench: {
    script: 'dist/executor-task/supervisor.mjs',
    network: 'none',
    isEnvironment: true,
  },
};
