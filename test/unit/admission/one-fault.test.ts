import { describe, expect, it } from 'vitest';
import { admissionCheck } from '../../../schemas/attempt-outcome.ts';
import { admitChanged, listFailed } from './admit-changed.ts';
import { responseFaults } from './response-faults.ts';

describe('a response with one fault', () => {
  it.each(responseFaults)('%s fails %s as %s', (_title, check, reason, change) => {
    const admission = admitChanged(change);
    expect(listFailed(admission)).toContain(check);
    expect(admission.decision).toMatchObject({ end: 'FAILED', reason });
    expect(admission.outputs).toEqual({});
    expect(admission.verdicts.map((verdict) => verdict.check)).toEqual(admissionCheck.options);
  });

  it('E41 every check has a fault of its own here', () => {
    const tried = new Set(responseFaults.map(([, check]) => check));
    expect([...tried, 'FRESHNESS'].sort()).toEqual([...admissionCheck.options].sort());
  });
});
