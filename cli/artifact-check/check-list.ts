import { refuseUsage } from '../command-failure.ts';
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

export interface CheckChoices {
  /** Whether a file at the cap is stored, too; naming that check asks for it as well. */
  atCap: boolean;
  /** Names of the checks to make beside the gates; all of them without it. */
  only?: readonly string[] | undefined;
}

/** Every chosen check in its order: what all others need first, and what looks back at the others last. */
export function listChecks(choices: CheckChoices): ConformanceCheck[] {
  const { only } = choices;
  const checks = listAll(choices.atCap || only?.includes(atCap.name) === true);
  if (only === undefined) return checks;
  return checks.filter(({ gate, name }) => gate === true || only.includes(name));
}

/** @throws CommandFailure when a name is that of no check */
export function checkNames(only: readonly string[]): void {
  const names = listAll(true).map(({ name }) => name);
  const unknown = only.find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw refuseUsage(`there is no check "${unknown}"`, `the checks are ${names.join(', ')}`);
}

function listAll(withAtCap: boolean): ConformanceCheck[] {
  return [
    ...gates,
    ...roundTrips,
    literalWords,
    ...revisions,
    ...mismatches,
    ...cap,
    ...(withAtCap ? [atCap] : []),
    ...absences,
    ...commandRoundTrips,
    printedSecrets,
    ...unobservable,
  ];
}
