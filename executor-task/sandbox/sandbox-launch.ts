import type { SandboxLimits } from './policy/sandbox-limits.ts';

export interface ReadOnlyMount {
  /** A file or folder of the host. */
  readonly source: string;
  /** Absolute path inside. Below `/work` it must exist in the tree already. */
  readonly target: string;
}

export interface SandboxCommand {
  /** Fixed program and arguments; no shell is put around them. */
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly readOnlyMounts: readonly ReadOnlyMount[];
  readonly limits: SandboxLimits;
}

/** What a profile tells the listener to start: the whole chain of programs, and the descriptors it reads from. */
export interface SandboxLaunch {
  /** First program by absolute path; it starts with an empty environment. */
  readonly argv: readonly string[];
  /** Descriptor through which the filter goes in and its listener comes out. */
  readonly channel: number;
  /** Descriptor for bubblewrap's status. */
  readonly status: number;
  /** Texts to be read by descriptor number. */
  readonly files: Readonly<Record<number, string>>;
}
