import type { CheckVerdict } from '../../../schemas/attempt-outcome.ts';
import { storedResponse } from '../../../schemas/executor-response.ts';
import type { ParsedFacts } from './admission-facts.ts';
import { renderVerdict } from './render-verdict.ts';

const listedFaults = 10;

/** The response has the declared schema version and exactly its fields (E28, E61, E71). */
export function checkSchema(facts: ParsedFacts): CheckVerdict {
  if (facts.parsed !== undefined) return renderVerdict('SCHEMA', []);
  const read = storedResponse.safeParse(facts.response);
  const faults = (read.error?.issues ?? [])
    .slice(0, listedFaults)
    .map((issue) => `/${issue.path.map(String).join('/')}: ${issue.message}`);
  return renderVerdict('SCHEMA', faults);
}
