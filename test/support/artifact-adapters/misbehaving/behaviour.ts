import type { Call } from './call.ts';

export type ArtifactVerb = 'upload' | 'list' | 'download';
export type AdapterVerb = `artifact-${ArtifactVerb}`;

/** One way an adapter goes wrong, the command it is met by, and what the command must say to it. */
export interface Behaviour {
  /** Begins with the requirement. */
  title: string;
  command: ArtifactVerb;
  /**
   * The one code of the `err:` line; `ok` where the command must get its work done all the same, `none` where it is
   * stopped before it can tell one.
   */
  code: string;
  /** Replaces what an honest adapter does with a verb. */
  act?: Partial<Record<AdapterVerb, (call: Call) => void | Promise<void>>>;
  /** Deadline given to the command. Without it the command must return long before its deadline. */
  timeoutSeconds?: number;
  /** Size of the file that is uploaded; more than a pipe holds matters where the adapter does not read. */
  uploadBytes?: number;
  /** Where a download goes, instead of `out.bin`. */
  destination?: string;
  /** Words after the command's own. */
  words?: string[];
  /** Prepares the working folder before the command starts. */
  arrange?: (folder: string) => void;
  /** Names in the working folder afterwards, with what they must hold; a link is written `-> TARGET`. */
  keeps?: Record<string, string>;
  /** A process has left the group and may live on; it must not hold the call (A50). */
  mayLeaveProcess?: true;
  /** The adapter named instead of this one. */
  runtime?: (folder: string) => string;
}
