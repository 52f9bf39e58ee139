import type { CheckVerdict } from '../../../schemas/attempt-outcome.ts';
import type { ParsedFacts } from './admission-facts.ts';
import { renderVerdict } from './render-verdict.ts';

/**
 * The policy under which it was issued is the one in force (E37, E62). Nothing says of two versions which is stricter,
 * so an attempt that another version issued is never taken.
 */
export function checkPolicy(facts: ParsedFacts): CheckVerdict {
  const issued = facts.prepared.request.policy_version;
  const inForce = facts.policyVersionInForce;
  return renderVerdict(
    'POLICY',
    issued === inForce
      ? []
      : [`issued under policy ${String(issued)}; version ${String(inForce)} is in force`],
  );
}
