import { limits } from '../../../schemas/limits.ts';

/** Seconds to wait after that many tries: 1, 2, 4 … up to `limits.backOffSeconds`. */
export function findBackOffSeconds(tries: number): number {
  return Math.min(limits.backOffSeconds, 2 ** Math.max(0, tries - 1));
}
