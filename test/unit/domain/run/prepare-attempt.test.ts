import { describe, expect, it } from 'vitest';
import { digestCanonical } from '../../../../schemas/digest.ts';
import { assignment, digestRequest, storedRequest } from '../../../../schemas/executor-request.ts';
import { deriveAttemptId } from '../../../../schemas/ids.ts';
import { composeNode, composePlan, digest, forgeNode, runId, TestRun } from './compose-run.ts';

function prepareSecond(extra: object) {
  const run = new TestRun(
    composePlan([composeNode('a'), composeNode('b', { needs: ['a'], ...extra })]),
  );
  const { prepared, events } = run.end('a');
  const [first] = prepared;
  if (first === undefined) throw new Error('nothing was prepared');
  return { prepared: first, event: events.at(-1), run };
}

describe('a request', () => {
  it('E44 E45 E46 E48 E49 E50 E61 E62 names run, action, attempt, node, contract and policy', () => {
    const { prepared } = prepareSecond({});
    expect(storedRequest.parse(prepared.request)).toEqual(prepared.request);
    expect(prepared.request).toMatchObject({
      run_id: runId,
      action_id: 'b.EXECUTE',
      attempt_id: deriveAttemptId(runId, 'b.EXECUTE', 1),
      node_id: 'b',
      node_contract_version: 3,
      action_type: 'EXECUTE',
      output_schema_version: 1,
      policy_version: 1,
      base_commit: null,
      worktree_id: null,
    });
  });

  it('E43 E101 is stood for by the hash of its stored form, in the log too', () => {
    const { prepared, event } = prepareSecond(forgeNode);
    expect(prepared.requestSha256).toBe(digestRequest(prepared.request));
    expect(event).toMatchObject({
      type: 'ATTEMPT_PREPARED',
      requestSha256: prepared.requestSha256,
      attemptNumber: 1,
    });
    expect(prepared.request.attempt_token_sha256).toBe('b'.repeat(64));
    expect(prepared.request.cancellation_token_sha256).toBe('c'.repeat(64));
  });

  it('E51 resolves every input to version and digest, the assignment last', () => {
    const { prepared, run } = prepareSecond({});
    const key = `attempts/${run.attempt('a')}/x`;
    expect(prepared.request.resolved_inputs).toEqual([
      { reference: key, version: 'v9', content_hash: digest },
      { reference: 'assignment', version: '3', content_hash: digestCanonical(prepared.assignment) },
    ]);
    expect(assignment.parse(prepared.assignment).inputs).toEqual({
      a: {
        list: false,
        files: [{ index: 0, filename: null, media_type: 'application/json', size: 7 }],
      },
    });
  });

  it('E52 E53 owns nothing and excludes every protected path', () => {
    expect(prepareSecond({}).prepared.request.owned_scope).toEqual({
      include: [],
      exclude: ['.git/**', '.orchestrator/**', 'hidden-tests/**'],
    });
  });

  it('E56 E57 pins commands and environment of a tool, and gives a function neither commands nor tokens', () => {
    const { prepared: tool } = prepareSecond(forgeNode);
    expect(tool.request.command_allowlist).toEqual(['HEAT', 'STRIKE']);
    expect(tool.request.environment_version).toBe(`smithy-v1@sha256:${'e'.repeat(64)}`);
    expect(tool.environment).toBe('smithy-v1');
    const { prepared: plain } = prepareSecond({});
    expect(plain.request).toMatchObject({
      command_allowlist: [],
      environment_version: 'functions@1',
      attempt_token_sha256: null,
      cancellation_token_sha256: null,
    });
  });

  it('E58 E60 holds the worst case and ends by a hard deadline that counts the start of a tool', () => {
    const { prepared: tool, event } = prepareSecond(forgeNode);
    expect(tool.request).toMatchObject({
      timeout_seconds: 100,
      budget_commitment: { dimension: 'COMPUTE_COST', hard_limit: '280' },
    });
    expect(event).toMatchObject({
      commitment: { COMPUTE_COST: 280n, ATTEMPTS: 1n, WALL_SECONDS: 100n },
    });
    expect(tool.hardDeadline).toBe('2026-01-01T00:04:50.000Z');
    expect(prepareSecond({}).prepared.hardDeadline).toBe('2026-01-01T00:01:50.000Z');
  });
});
