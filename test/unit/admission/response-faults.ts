import type { AdmissionCheckName } from '../../../schemas/attempt-outcome.ts';
import { digestBytes, digestCanonical } from '../../../schemas/digest.ts';
import { digestRequest } from '../../../schemas/executor-request.ts';
import type { GoodFacts } from './good-facts.ts';

const otherDigest = digestBytes('something else');

/** Title, the check that fails, the reason of the outcome, and the one change of a good response. */
export const responseFaults: [string, AdmissionCheckName, string, (facts: GoodFacts) => void][] = [
  [
    'E28 an unknown field',
    'SCHEMA',
    'PROTOCOL_VIOLATION',
    (facts) => {
      Object.assign(facts.response, { approved: true });
    },
  ],
  [
    'E71 an unknown schema version',
    'SCHEMA',
    'PROTOCOL_VIOLATION',
    (facts) => {
      Object.assign(facts.response, { response_schema_version: 2 });
    },
  ],
  [
    'E64 an unknown status',
    'SCHEMA',
    'PROTOCOL_VIOLATION',
    (facts) => {
      Object.assign(facts.response, { self_reported_status: 'SUCCEEDED' });
    },
  ],
  [
    'E65 an unknown artefact type',
    'SCHEMA',
    'PROTOCOL_VIOLATION',
    (facts) => {
      Object.assign(facts.response.artefacts[0]!, { type: 'BINARY' });
    },
  ],
  [
    'E29 E63 another run',
    'PROVENANCE',
    'PROTOCOL_VIOLATION',
    (facts) => {
      facts.response.run_id = `run_${'0'.repeat(26)}`;
    },
  ],
  [
    'E63 another action',
    'PROVENANCE',
    'PROTOCOL_VIOLATION',
    (facts) => {
      facts.response.action_id = 'other.EXECUTE';
    },
  ],
  [
    'E63 another attempt',
    'PROVENANCE',
    'PROTOCOL_VIOLATION',
    (facts) => {
      facts.response.attempt_id = `att_${'0'.repeat(26)}`;
    },
  ],
  [
    'E47 the token of another attempt',
    'PROVENANCE',
    'PROTOCOL_VIOLATION',
    (facts) => {
      facts.response.attempt_token_sha256 = otherDigest;
    },
  ],
  [
    'E47 no token',
    'PROVENANCE',
    'PROTOCOL_VIOLATION',
    (facts) => {
      facts.response.attempt_token_sha256 = null;
    },
  ],
  [
    'E29 a record by somebody else',
    'PROVENANCE',
    'PROTOCOL_VIOLATION',
    (facts) => {
      facts.record.producer = 'controller';
    },
  ],
  [
    'E30 E70 another executor',
    'PRODUCER_AUTHORITY',
    'PROTOCOL_VIOLATION',
    (facts) => {
      facts.response.executor_version = 'adder@1.0.0';
    },
  ],
  [
    'E70 an executor that the plan does not pin',
    'PRODUCER_AUTHORITY',
    'PROTOCOL_VIOLATION',
    (facts) => {
      facts.executor = undefined;
    },
  ],
  [
    'E30 a media type that the executor may not give',
    'PRODUCER_AUTHORITY',
    'PROTOCOL_VIOLATION',
    (facts) => {
      facts.executor!.outputMediaTypes = ['application/json'];
    },
  ],
  [
    'E30 a candidate without a repository',
    'PRODUCER_AUTHORITY',
    'PROTOCOL_VIOLATION',
    (facts) => {
      facts.response.artefacts[0]!.type = 'GIT_CANDIDATE';
    },
  ],
  [
    'E30 a model call from level 2',
    'PRODUCER_AUTHORITY',
    'PROTOCOL_VIOLATION',
    (facts) => {
      facts.response.observations.push({
        type: 'MODEL_CALL',
        model: 'm',
        input_tokens: 1,
        output_tokens: 1,
      });
    },
  ],
  [
    'E31 E67 a changed path without a repository',
    'DELEGATED_SCOPE',
    'SCOPE_VIOLATION',
    (facts) => {
      facts.response.changed_paths = ['src/a.ts'];
    },
  ],
  [
    'E56 a command outside the allowlist',
    'DELEGATED_SCOPE',
    'SCOPE_VIOLATION',
    (facts) => {
      facts.record.commands.push({ ...facts.record.commands[0]!, command_id: 'SHELL' });
    },
  ],
  [
    'E31 an output in a foreign prefix',
    'DELEGATED_SCOPE',
    'SCOPE_VIOLATION',
    (facts) => {
      const { sha256 } = facts.record.outputs[0]!;
      facts.record.outputs[0]!.key = `attempts/att_${'0'.repeat(26)}/sha256/${sha256}`;
      facts.stored['summary']!.key = facts.record.outputs[0]!.key;
    },
  ],
  [
    'E32 an output that the contract does not have',
    'REFERENTIAL_INTEGRITY',
    'PROTOCOL_VIOLATION',
    (facts) => {
      facts.response.artefacts.push({
        ...facts.response.artefacts[0]!,
        reference: 'outputs/extra',
      });
    },
  ],
  [
    'E32 a reference that escapes',
    'REFERENTIAL_INTEGRITY',
    'PROTOCOL_VIOLATION',
    (facts) => {
      facts.response.artefacts.push({
        ...facts.response.artefacts[0]!,
        reference: 'outputs/../plans/x',
      });
    },
  ],
  [
    'E32 one output named twice',
    'REFERENTIAL_INTEGRITY',
    'PROTOCOL_VIOLATION',
    (facts) => {
      facts.response.artefacts.push({ ...facts.response.artefacts[0]! });
    },
  ],
  [
    'E33 inputs that nobody verified',
    'INPUT_VERSIONS',
    'INPUT_MISSING',
    (facts) => {
      facts.record.inputs_verified = false;
    },
  ],
  [
    'E43 a request that was changed after it was issued',
    'INPUT_VERSIONS',
    'PROTOCOL_VIOLATION',
    (facts) => {
      facts.prepared.request.timeout_seconds = 900;
    },
  ],
  [
    'E33 an assignment that the request does not bind',
    'INPUT_VERSIONS',
    'PROTOCOL_VIOLATION',
    (facts) => {
      facts.prepared.assignment.params = { more: true };
    },
  ],
  [
    'E49 another contract version',
    'INPUT_VERSIONS',
    'PROTOCOL_VIOLATION',
    (facts) => {
      facts.node.contract.version = 2;
    },
  ],
  [
    'E57 another environment',
    'INPUT_VERSIONS',
    'PROTOCOL_VIOLATION',
    (facts) => {
      facts.record.environment_version = 'sums-v2@sha256:00';
    },
  ],
  [
    'E35 E66 a command result that differs from the record',
    'CONSISTENCY',
    'PROTOCOL_VIOLATION',
    (facts) => {
      Object.assign(facts.response.observations[0]!, { stdout_hash: otherDigest });
    },
  ],
  [
    'E42 a passed command that was never run',
    'CONSISTENCY',
    'PROTOCOL_VIOLATION',
    (facts) => {
      facts.record.commands = [];
    },
  ],
  [
    'E68 another commitment',
    'CONSISTENCY',
    'PROTOCOL_VIOLATION',
    (facts) => {
      facts.response.cost_report.committed = '4999';
    },
  ],
  [
    'E68 another unit',
    'CONSISTENCY',
    'PROTOCOL_VIOLATION',
    (facts) => {
      facts.response.cost_report.units = 'USD';
    },
  ],
  [
    'E69 an end before its start',
    'CONSISTENCY',
    'PROTOCOL_VIOLATION',
    (facts) => {
      facts.response.finished_at = '2026-01-05T09:00:11.000Z';
    },
  ],
  [
    'E69 a start before the claim',
    'CONSISTENCY',
    'PROTOCOL_VIOLATION',
    (facts) => {
      facts.response.started_at = '2026-01-05T09:00:04.000Z';
    },
  ],
  [
    'E69 an end after the return',
    'CONSISTENCY',
    'PROTOCOL_VIOLATION',
    (facts) => {
      facts.response.finished_at = '2026-01-05T09:01:06.000Z';
    },
  ],
  [
    'E36 an output above its size',
    'SECURITY',
    'VALIDATION_FAILED',
    (facts) => {
      facts.prepared.assignment.outputs['summary']!.max_bytes = 8;
      bindAssignment(facts);
    },
  ],
  [
    'E37 E62 another policy version',
    'POLICY',
    'PROTOCOL_VIOLATION',
    (facts) => {
      facts.policyVersionInForce = 2;
    },
  ],
  [
    'E38 an executor that may assume',
    'ASSUMPTIONS',
    'PROTOCOL_VIOLATION',
    (facts) => {
      Object.assign(facts.executor!, { level: 3 });
    },
  ],
  [
    'E39 p18 a claim with nothing produced',
    'REQUIRED_EVIDENCE',
    'DELIVERABLE_MISSING',
    (facts) => {
      facts.response.artefacts = [];
    },
  ],
  [
    'E64 p18 an output that was never stored',
    'REQUIRED_EVIDENCE',
    'DELIVERABLE_MISSING',
    (facts) => {
      facts.record.outputs = facts.record.outputs.slice(1);
      facts.stored = { page: facts.stored['page'] };
    },
  ],
  [
    'E64 COMPLETED with a failing recorded command',
    'REQUIRED_EVIDENCE',
    'VALIDATION_FAILED',
    (facts) => {
      facts.record.commands[0]!.exit_code = 1;
      facts.response.observations = [];
    },
  ],
  [
    'E15 a command that left no record',
    'REQUIRED_EVIDENCE',
    'VALIDATION_FAILED',
    (facts) => {
      facts.record.commands = [];
      facts.response.observations = [];
    },
  ],
  [
    'E39 a failing acceptance check',
    'REQUIRED_EVIDENCE',
    'VALIDATION_FAILED',
    (facts) => {
      facts.node.contract.accept = [{ check: 'not_empty', output: 'page' }];
      facts.acceptance = [
        { check: 'not_empty', output: 'page', passed: false, detail: 'it is empty' },
      ];
    },
  ],
  [
    'E39 an acceptance check that nobody made',
    'REQUIRED_EVIDENCE',
    'VALIDATION_FAILED',
    (facts) => {
      facts.node.contract.accept = [{ check: 'not_empty', output: 'page' }];
    },
  ],
  [
    'E76 commands outside a sandbox',
    'REQUIRED_EVIDENCE',
    'VALIDATION_FAILED',
    (facts) => {
      facts.record.sandbox = null;
    },
  ],
  [
    'E16 E40 a content hash that is not that of the bytes',
    'CONTENT_HASH',
    'PROTOCOL_VIOLATION',
    (facts) => {
      facts.response.artefacts[0]!.content_hash = otherDigest;
    },
  ],
  [
    'E40 bytes that are not those of the record',
    'CONTENT_HASH',
    'PROTOCOL_VIOLATION',
    (facts) => {
      facts.stored['summary']!.sha256 = otherDigest;
    },
  ],
  [
    'E29 a record of another attempt',
    'PROVENANCE',
    'PROTOCOL_VIOLATION',
    (facts) => {
      facts.record.attempt_id = `att_${'0'.repeat(26)}`;
    },
  ],
  [
    'E30 an executor that does not do this action',
    'PRODUCER_AUTHORITY',
    'PROTOCOL_VIOLATION',
    (facts) => {
      facts.executor!.actionTypes = ['VERIFY'];
    },
  ],
  [
    'E30 an executor that does not do this operation',
    'PRODUCER_AUTHORITY',
    'PROTOCOL_VIOLATION',
    (facts) => {
      facts.executor!.operations = ['other'];
    },
  ],
  [
    'E30 an executor of another kind',
    'PRODUCER_AUTHORITY',
    'PROTOCOL_VIOLATION',
    (facts) => {
      Object.assign(facts.executor!, { kind: 'function' });
    },
  ],
  [
    'E32 a stored output that the contract does not have',
    'REFERENTIAL_INTEGRITY',
    'PROTOCOL_VIOLATION',
    (facts) => {
      facts.record.outputs.push({ ...facts.record.outputs[0]!, output: 'extra' });
      facts.stored['extra'] = facts.stored['summary'];
    },
  ],
  [
    'E32 an output that was stored twice',
    'REFERENTIAL_INTEGRITY',
    'PROTOCOL_VIOLATION',
    (facts) => {
      facts.record.outputs.push({ ...facts.record.outputs[0]! });
    },
  ],
];

function bindAssignment(facts: GoodFacts): void {
  const bound = facts.prepared.request.resolved_inputs.at(-1)!;
  bound.content_hash = digestCanonical(facts.prepared.assignment);
  facts.prepared.requestSha256 = digestRequest(facts.prepared.request);
}
