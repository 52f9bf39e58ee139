import type { AdapterProbe } from './adapter-probe.ts';
import {
  CheckSkipped,
  ContractBreach,
  type ConformanceCheck,
  type Verdict,
} from './conformance-check.ts';

/**
 * Makes the checks one after the other, as some look at what others stored. An adapter that fails a gate is asked
 * nothing more.
 *
 * @param report told of each verdict when it is there
 */
export async function runChecks(
  checks: readonly ConformanceCheck[],
  probe: AdapterProbe,
  report: (verdict: Verdict) => void,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  let closed: string | undefined;
  for (const check of checks) {
    const verdict =
      closed === undefined
        ? await makeCheck(check, probe)
        : judge(check, new CheckSkipped(`needs \`${closed}\``));
    if (check.gate === true && verdict.verdict === 'FAIL') closed ??= check.name;
    verdicts.push(verdict);
    report(verdict);
  }
  return verdicts;
}

async function makeCheck(check: ConformanceCheck, probe: AdapterProbe): Promise<Verdict> {
  try {
    await check.check(probe);
    return judge(check);
  } catch (error) {
    return judge(check, error);
  }
}

function judge(check: ConformanceCheck, error?: unknown): Verdict {
  const { name, requirement, demand } = check;
  if (error === undefined) return { name, requirement, demand, verdict: 'PASS' };
  if (error instanceof ContractBreach)
    return { name, requirement, demand, verdict: 'FAIL', detail: error.message };
  if (error instanceof CheckSkipped)
    return { name, requirement, demand, verdict: 'SKIP', detail: error.message };
  throw error as Error;
}
