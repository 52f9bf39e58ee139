import { CheckSkipped, type ConformanceCheck } from '../conformance-check.ts';

function cannotSee(
  name: string,
  requirement: string,
  demand: string,
  why: string,
): ConformanceCheck {
  return {
    name,
    requirement,
    demand,
    check: () => Promise.reject(new CheckSkipped(`cannot be seen from outside: ${why}`)),
  };
}

/** What the contract demands as well, and only the deployment itself can show. */
export const unobservable: ConformanceCheck[] = [
  cannotSee(
    'hash-of-the-stored-bytes',
    'A57',
    'a listing hashes the bytes as they lie in the store now',
    'change a stored file by hand; its listed SHA-256 must change with it',
  ),
  cannotSee(
    'native-write-path',
    'A56',
    'uploads go through the native attachment functions',
    'read the adapter',
  ),
  cannotSee(
    'authentication',
    'A61',
    'the adapter authenticates, and a caller without rights gets nothing',
    'call it with credentials of somebody else',
  ),
  cannotSee(
    'survives-cleanup',
    'A74',
    "a worker's deliverable outlives the cleaning of its scratch folder",
    'let a worker make one, clean up, and download it',
  ),
];
