import type { AdmissionCheckName } from '../../../schemas/attempt-outcome.ts';
import { admitResponse } from '../../../functions/domain/admission/admit-response.ts';
import { composeGoodFacts, type GoodFacts } from './good-facts.ts';

export function admitChanged(change: (facts: GoodFacts) => void) {
  const facts = composeGoodFacts();
  change(facts);
  return admitResponse(facts);
}

export function listFailed(admission: ReturnType<typeof admitResponse>): AdmissionCheckName[] {
  return admission.verdicts.filter(({ verdict }) => verdict === 'FAILED').map(({ check }) => check);
}
