import picomatch from 'picomatch';
import { z } from 'zod';

/** Always excluded, whatever a request says, in any letter case (E53). */
export const protectedGlobs = ['.git/**', '.orchestrator/**', 'hidden-tests/**'] as const;

const glob = z
  .string()
  .min(1)
  .max(500)
  .refine(
    (text) => !/[\\{}()!]/.test(text),
    'uses braces, extended globs, negation or back-slashes',
  )
  .refine(
    (text) =>
      !text.startsWith('/') && !text.split('/').includes('..') && !text.split('/').includes('.'),
    'is not a plain relative path pattern',
  );

/** Path globs that an attempt may change (E52). Without a repository both lists say nothing may change. */
export const ownedScope = z.strictObject({ include: z.array(glob), exclude: z.array(glob) });
export type OwnedScope = z.infer<typeof ownedScope>;

const options = { dot: true, nobrace: true, noextglob: true, nonegate: true } as const;

/** Whether a repo-relative path may be changed: some include matches and no exclude does; exclude wins (E52, E53). */
export function isPathOwned(scope: OwnedScope, path: string): boolean {
  if (path === '' || path.startsWith('/') || path.includes('\\') || path.includes('\0'))
    return false;
  if (path.split('/').some((part) => part === '' || part === '.' || part === '..')) return false;
  const lower = path.toLowerCase();
  if (protectedGlobs.some((pattern) => picomatch.isMatch(lower, pattern, options))) return false;
  if (scope.exclude.some((pattern) => picomatch.isMatch(path, pattern, options))) return false;
  return scope.include.some((pattern) => picomatch.isMatch(path, pattern, options));
}
