import type { TokenDigests } from './prepare-attempt.ts';

/** What a scheduling decision has to be told. */
export interface ScheduleContext {
  now: string;
  /** Digests of the tokens of one attempt; asked only for attempts that get tokens. */
  tokenDigests: (attemptId: string) => TokenDigests;
  /** Most attempts that this commit may prepare. */
  maxAttempts: number;
}
