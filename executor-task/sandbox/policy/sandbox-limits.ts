const MEBIBYTE = 1024 * 1024;

/** What one command may use. All hold for its whole process tree, save those said to be for each process (E88). */
export interface SandboxLimits {
  /** Wall clock, from the start of the command. */
  readonly wallSeconds: number;
  /** CPU time of all processes together; also each process's own limit. */
  readonly cpuSeconds: number;
  /** Memory of all processes together, with the files they wrote to memory. */
  readonly memoryBytes: number;
  /** Data segment of each process. Node does not start below 768 MiB. */
  readonly dataBytes: number;
  /** Processes and threads alive at once. */
  readonly processes: number;
  /** Open descriptors of each process. */
  readonly descriptors: number;
  /** Size of each file. */
  readonly fileBytes: number;
  /** Size of the working tree. */
  readonly treeBytes: number;
  /** Files and folders of the working tree. */
  readonly treeEntries: number;
  /** Size of /tmp. */
  readonly temporaryBytes: number;
}

export const DEFAULT_SANDBOX_LIMITS: SandboxLimits = {
  wallSeconds: 300,
  cpuSeconds: 600,
  memoryBytes: 2048 * MEBIBYTE,
  dataBytes: 4096 * MEBIBYTE,
  processes: 256,
  descriptors: 1024,
  fileBytes: 256 * MEBIBYTE,
  treeBytes: 512 * MEBIBYTE,
  treeEntries: 50_000,
  temporaryBytes: 64 * MEBIBYTE,
};

/** How often memory, CPU time and process count of a tree are read where the kernel does not stop it by itself. */
export const WATCH_INTERVAL_MILLISECONDS = 50;

/** Size of /dev/shm. */
export const SHARED_MEMORY_BYTES = 16 * MEBIBYTE;

/** RLIMIT_NPROC of an ordinary user counts all of that user's processes, so it is only a backstop there. */
export const ORDINARY_USER_PROCESSES = 4096;

/** How long the kernel may take to remove a killed process tree before the sandbox counts as broken. */
export const TEARDOWN_SECONDS = 20;

/** How long a sandbox may take until its command starts. */
export const START_SECONDS = 30;
