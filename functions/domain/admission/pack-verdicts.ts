import {
  admissionCheck,
  type AdmissionCheckName,
  type CheckVerdict,
} from '../../../schemas/attempt-outcome.ts';

const letters: Record<CheckVerdict['verdict'], string> = { PASSED: 'P', FAILED: 'F', VACUOUS: 'V' };

/** All verdicts as one letter each, in the order of `admissionCheck`: small enough for every outcome in the log (E41). */
export function packVerdicts(verdicts: readonly CheckVerdict[]): string {
  const byCheck = new Map<AdmissionCheckName, string>(
    verdicts.map(({ check, verdict }) => [check, letters[verdict]]),
  );
  return admissionCheck.options
    .map((check) => {
      const letter = byCheck.get(check);
      if (letter === undefined) throw new TypeError(`there is no verdict of ${check}`);
      return letter;
    })
    .join('');
}
