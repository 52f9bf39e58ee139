import { describe, expect, it } from 'vitest';
import { admissionCheck, type AdmissionCheckName } from '../../../schemas/attempt-outcome.ts';
import { digestBytes, digestCanonical } from '../../../schemas/digest.ts';
import { digestRequest } from '../../../schemas/executor-request.ts';
import { admitResponse } from '../../../functions/domain/admission/admit-response.ts';
import { composeGoodFacts, withOutputText, type GoodFacts } from './good-facts.ts';

const otherDigest = digestBytes('something else');

function admitChanged(change: (facts: GoodFacts) => void) {
  const facts = composeGoodFacts();
  change(facts);
  return admitResponse(facts);
}

function listFailed(admission: ReturnType<typeof admitResponse>): AdmissionCheckName[] {
  return admission.verdicts.filter(({ verdict }) => verdict === 'FAILED').map(({ check }) => check);
}

describe('a good response', () => {
  it.each(['fargate', 'function'] as const)('E41 passes all thirteen checks of a %s', (kind) => {
    const admission = admitResponse(composeGoodFacts(kind));
    expect(admission.decision).toEqual({ end: 'SUCCEEDED', reason: null, detail: '' });
    expect(admission.verdicts.map(({ check }) => check)).toEqual(admissionCheck.options);
    expect(listFailed(admission)).toEqual([]);
  });

  it('gives the outputs as artifacts with the size and digest that the controller measured', () => {
    const { outputs } = admitResponse(composeGoodFacts());
    expect(outputs['summary']).toMatchObject({
      sha256: digestBytes('{"sum":6}'),
      size: 9,
      mediaType: 'application/json',
      filename: 'summary.json',
    });
    expect(Object.keys(outputs)).toEqual(['summary', 'page']);
  });

  it('E38 says why nothing is assumed', () => {
    const verdict = admitResponse(composeGoodFacts()).verdicts.find(
      ({ check }) => check === 'ASSUMPTIONS',
    );
    expect(verdict).toMatchObject({ verdict: 'VACUOUS' });
    expect(verdict?.detail).toContain('level 2');
  });
});

const negatives: [string, AdmissionCheckName, string, (facts: GoodFacts) => void][] = [
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
];

function bindAssignment(facts: GoodFacts): void {
  const bound = facts.prepared.request.resolved_inputs.at(-1)!;
  bound.content_hash = digestCanonical(facts.prepared.assignment);
  facts.prepared.requestSha256 = digestRequest(facts.prepared.request);
}

describe('a response with one fault', () => {
  it.each(negatives)('%s fails %s as %s', (_title, check, reason, change) => {
    const admission = admitChanged(change);
    expect(listFailed(admission)).toContain(check);
    expect(admission.decision).toMatchObject({ end: 'FAILED', reason });
    expect(admission.outputs).toEqual({});
    expect(admission.verdicts.map((verdict) => verdict.check)).toEqual(admissionCheck.options);
  });

  it('E41 every check has a fault of its own here', () => {
    const tried = new Set(negatives.map(([, check]) => check));
    expect([...tried, 'FRESHNESS'].sort()).toEqual([...admissionCheck.options].sort());
  });
});

describe('freshness', () => {
  it('E59 takes nothing after a stop order', () => {
    const admission = admitChanged((facts) => (facts.stopped = true));
    expect(listFailed(admission)).toEqual(['FRESHNESS']);
    expect(admission.decision).toMatchObject({ end: 'CANCELLED', reason: null });
  });

  it('E34 takes nothing that was fenced', () => {
    const admission = admitChanged((facts) => (facts.fenced = true));
    expect(listFailed(admission)).toEqual(['FRESHNESS']);
    expect(admission.decision.end).toBe('ABANDONED');
  });

  it('E58 takes nothing that returned after the deadline, and what returned at it', () => {
    const late = admitChanged((facts) => (facts.returnedAt = '2026-01-05T09:13:10.001Z'));
    expect(listFailed(late)).toEqual(['FRESHNESS']);
    expect(late.decision.end).toBe('TIMED_OUT');
    const onTime = admitChanged((facts) => (facts.returnedAt = '2026-01-05T09:13:10.000Z'));
    expect(onTime.decision.end).toBe('SUCCEEDED');
  });
});

describe('a violation', () => {
  it('E95 fails the attempt whatever it says and however good the rest is', () => {
    for (const status of ['COMPLETED', 'CANCELLED', 'FAILED'] as const) {
      const admission = admitChanged((facts) => {
        facts.response.self_reported_status = status;
        facts.record.violations = [{ kind: 'PTRACE', detail: '', evidence_sha256: otherDigest }];
        facts.stopped = status === 'CANCELLED';
      });
      expect(admission.decision).toMatchObject({ end: 'FAILED', reason: 'SANDBOX_VIOLATION' });
      expect(admission.outputs).toEqual({});
    }
  });
});

describe('security', () => {
  const admitText = (name: string, text: string) =>
    admitResponse(withOutputText(composeGoodFacts(), name, text));

  it.each([
    ['a script', '<p>6</p><script>run()</script>'],
    ['a script in capitals', '<SCRIPT src=x></SCRIPT>'],
    ['a handler', '<img src=x onerror=run()>'],
    ['a handler behind a closing bracket in an attribute', '<img alt=">" onerror=run()>'],
    ['a handler without white space', '<svg/onload=run()>'],
    ['a script address', '<a href="javascript:run()">6</a>'],
    ['a script address in references', '<a href="&#106;ava&#x73;cript&colon;run()">6</a>'],
    ['a script address with a tab', '<a href="java\tscript:run()">6</a>'],
    ['a frame', '<iframe src=x></iframe>'],
    ['a refresh', '<meta http-equiv="refresh" content="0;url=x">'],
    ['a script between NUL characters', '<\0s\0c\0r\0i\0p\0t\0>'],
  ])('E36 refuses an HTML output with %s', (_title, text) => {
    const admission = admitText('page', text);
    expect(listFailed(admission)).toEqual(['SECURITY']);
    expect(admission.decision).toMatchObject({ end: 'FAILED', reason: 'VALIDATION_FAILED' });
  });

  it('E36 takes an HTML output that only speaks of such things', () => {
    const text = '<p>The description: money only = 5, on average; java script, iframes</p>';
    expect(admitText('page', text).decision.end).toBe('SUCCEEDED');
  });

  it('E36 takes markup in an output that nobody renders', () => {
    const text = JSON.stringify({ html: '<script>run()</script>' });
    expect(admitText('summary', text).decision.end).toBe('SUCCEEDED');
  });

  it.each([
    ['an access key id', `AKIA${'ABCDEFGH'.repeat(2)}`],
    ['a temporary access key id', `ASIA${'ABCDEFGH'.repeat(2)}`],
    ['a private key', `-----BEGIN RSA ${'PRIVATE'} KEY-----`],
    ['a secret key', `aws_secret_access_key = ${'a1B2'.repeat(10)}`],
  ])('E36 refuses an output with %s, and does not repeat it', (_title, secret) => {
    const admission = admitText('summary', JSON.stringify({ secret }));
    expect(listFailed(admission)).toEqual(['SECURITY']);
    expect(JSON.stringify(admission)).not.toContain(secret);
  });

  it('E36 refuses a secret in a note', () => {
    const admission = admitChanged((facts) => {
      facts.response.observations.push({ type: 'NOTE', detail: `AKIA${'ABCDEFGH'.repeat(2)}` });
    });
    expect(listFailed(admission)).toEqual(['SECURITY']);
  });

  it('E36 takes a text that only looks a little like a key', () => {
    expect(admitText('summary', '{"word":"ASIAN","id":"AKIA123"}').decision.end).toBe('SUCCEEDED');
  });

  it('scans a large hostile text in linear time', () => {
    const text = '<'.repeat(400_000) + 'on'.repeat(400_000) + '&#'.repeat(200_000);
    const facts = withOutputText(composeGoodFacts(), 'page', text);
    const started = performance.now();
    admitResponse(facts);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
