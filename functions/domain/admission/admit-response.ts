import type { Artifact } from '../../../schemas/artifact.ts';
import type {
  AdmissionCheckName,
  CheckVerdict,
  FailureReason,
} from '../../../schemas/attempt-outcome.ts';
import { storedResponse } from '../../../schemas/executor-response.ts';
import type { Decision } from '../attempt/classify-close.ts';
import type { AdmissionFacts, ParsedFacts } from './admission-facts.ts';
import { checkAssumptions } from './check-assumptions.ts';
import { checkConsistency } from './check-consistency.ts';
import { checkContentHash } from './check-content-hash.ts';
import { checkDelegatedScope } from './check-delegated-scope.ts';
import { checkFreshness, isReturnedLate } from './check-freshness.ts';
import { checkInputVersions } from './check-input-versions.ts';
import { checkPolicy } from './check-policy.ts';
import { checkProducerAuthority } from './check-producer-authority.ts';
import { checkProvenance } from './check-provenance.ts';
import { checkReferentialIntegrity } from './check-referential-integrity.ts';
import { checkRequiredEvidence, listMissingOutputs } from './check-required-evidence.ts';
import { checkSchema } from './check-schema.ts';
import { checkSecurity } from './check-security.ts';
import { mapStatus } from './map-status.ts';
import { cutDetail } from './render-verdict.ts';

export interface Admission {
  /** All thirteen, in the order in which they are reported, whatever was decided (E41). */
  verdicts: CheckVerdict[];
  decision: Decision;
  /** Empty unless SUCCEEDED. */
  outputs: Record<string, Artifact>;
}

const checks: readonly ((facts: ParsedFacts) => CheckVerdict)[] = [
  checkSchema,
  checkProvenance,
  checkProducerAuthority,
  checkDelegatedScope,
  checkReferentialIntegrity,
  checkInputVersions,
  checkFreshness,
  checkConsistency,
  checkSecurity,
  checkPolicy,
  checkAssumptions,
  checkRequiredEvidence,
  checkContentHash,
];

/** Failures of these say that what was returned cannot be believed, so they come before what it says of itself. */
const reasonsOfDisbelief: readonly (readonly [AdmissionCheckName, FailureReason])[] = [
  ['SCHEMA', 'PROTOCOL_VIOLATION'],
  ['PROVENANCE', 'PROTOCOL_VIOLATION'],
  ['DELEGATED_SCOPE', 'SCOPE_VIOLATION'],
  ['PRODUCER_AUTHORITY', 'PROTOCOL_VIOLATION'],
  ['CONSISTENCY', 'PROTOCOL_VIOLATION'],
  ['POLICY', 'PROTOCOL_VIOLATION'],
  ['ASSUMPTIONS', 'PROTOCOL_VIOLATION'],
];

/** The decision between a response and the log: every check runs, then the first cause decides (E28–E42, E63–E71). */
export function admitResponse(facts: AdmissionFacts): Admission {
  const read = storedResponse.safeParse(facts.response);
  const parsed: ParsedFacts = { ...facts, parsed: read.success ? read.data : undefined };
  const verdicts = checks.map((check) => check(parsed));
  const decided = decide(parsed, verdicts);
  const decision = { ...decided, detail: cutDetail(decided.detail) };
  return { verdicts, decision, outputs: decision.end === 'SUCCEEDED' ? listOutputs(facts) : {} };
}

function decide(facts: ParsedFacts, verdicts: readonly CheckVerdict[]): Decision {
  const [violation] = facts.record.violations;
  if (violation !== undefined) {
    return fail('SANDBOX_VIOLATION', `the sandbox recorded ${violation.kind}`);
  }
  if (facts.stopped) return { end: 'CANCELLED', reason: null, detail: 'stopped by order' };
  if (facts.fenced) return { end: 'ABANDONED', reason: null, detail: 'it was given up' };
  if (isReturnedLate(facts)) {
    return { end: 'TIMED_OUT', reason: null, detail: 'it returned after its deadline' };
  }
  const failed = new Map(
    verdicts.filter(({ verdict }) => verdict === 'FAILED').map((one) => [one.check, one.detail]),
  );
  return (
    findDisbelief(facts, failed) ??
    (facts.parsed === undefined ? undefined : mapStatus(facts, facts.parsed)) ??
    findShortfall(facts, failed) ?? { end: 'SUCCEEDED', reason: null, detail: '' }
  );
}

function findDisbelief(
  facts: ParsedFacts,
  failed: ReadonlyMap<AdmissionCheckName, string>,
): Decision | undefined {
  for (const [check, reason] of reasonsOfDisbelief) {
    const detail = failed.get(check);
    if (detail !== undefined) return fail(reason, `${check}: ${detail}`);
  }
  const inputs = failed.get('INPUT_VERSIONS');
  if (inputs === undefined) return undefined;
  return fail(
    facts.record.inputs_verified ? 'PROTOCOL_VIOLATION' : 'INPUT_MISSING',
    `INPUT_VERSIONS: ${inputs}`,
  );
}

function findShortfall(
  facts: ParsedFacts,
  failed: ReadonlyMap<AdmissionCheckName, string>,
): Decision | undefined {
  const [missing] = listMissingOutputs(facts);
  if (missing !== undefined) return fail('DELIVERABLE_MISSING', `output ${missing} is missing`);
  for (const check of ['REFERENTIAL_INTEGRITY', 'CONTENT_HASH'] as const) {
    const detail = failed.get(check);
    if (detail !== undefined) return fail('PROTOCOL_VIOLATION', `${check}: ${detail}`);
  }
  const [first] = failed;
  if (first === undefined) return undefined;
  return fail('VALIDATION_FAILED', `${first[0]}: ${first[1]}`);
}

function listOutputs(facts: AdmissionFacts): Record<string, Artifact> {
  const outputs: Record<string, Artifact> = {};
  for (const [name, { media_type: mediaType }] of Object.entries(
    facts.prepared.assignment.outputs,
  )) {
    const stored = facts.stored[name];
    if (stored === undefined) throw new TypeError(`output ${name} was admitted without bytes`);
    const { key, versionId, sha256, size } = stored;
    const filename = facts.node.gives[name]?.filename ?? null;
    outputs[name] = { key, versionId, sha256, size, mediaType, filename };
  }
  return outputs;
}

function fail(reason: FailureReason, detail: string): Decision {
  return { end: 'FAILED', reason, detail };
}
