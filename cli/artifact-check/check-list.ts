import type { ConformanceCheck } from './conformance-check.ts';
import { absences } from './checks/absences.ts';
import { atCap, cap } from './checks/cap.ts';
import { commandRoundTrips } from './checks/command-round-trips.ts';
import { gates } from './checks/gates.ts';
import { literalWords } from './checks/literal-words.ts';
import { mismatches } from './checks/mismatches.ts';
import { printedSecrets } from './checks/printed-secrets.ts';
import { revisions } from './checks/revisions.ts';
import { roundTrips } from './checks/round-trips.ts';
import { unobservable } from './checks/unobservable.ts';

/** Every check in its order: what all others need first, and what looks back at the others last. */
export function listChecks(choices: { atCap: boolean }): ConformanceCheck[] {
  return [
    ...gates,
    ...roundTrips,
    literalWords,
    ...revisions,
    ...mismatches,
    ...cap,
    ...(choices.atCap ? [atCap] : []),
    ...absences,
    ...commandRoundTrips,
    printedSecrets,
    ...unobservable,
  ];
}
