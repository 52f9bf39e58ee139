import { describe, expect, it } from 'vitest';
import { mintToken, type TokenKind } from '../../../functions/domain/attempt/mint-token.ts';
import { admitAttempt } from '../../../functions/use-cases/attempt/admit-attempt.ts';
import { closeAttempt } from '../../../functions/use-cases/attempt/close-attempt.ts';
import { heartbeatAttempt } from '../../../functions/use-cases/attempt/heartbeat-attempt.ts';
import { renewAttempt } from '../../../functions/use-cases/attempt/renew-attempt.ts';
import { submitAttempt } from '../../../functions/use-cases/attempt/submit-attempt.ts';
import { composePrepared } from './attempt-fixture.ts';
import {
  composeSubmission,
  createScenario,
  placeStopOrder,
  startCourier,
  type Scenario,
} from './attempt-scenario.ts';

/** Everything that the control plane has stored, sent to a workflow, or given to a task. */
function renderStored({ deps }: Scenario, without: string[] = []): string {
  const { table, documents, artifacts, workflows, planDrops } = deps;
  const things: unknown[] = [
    ...[table.heads, table.entries, table.parked, table.messages, table.prepared, table.attempts],
    ...[table.starts, documents.documents, artifacts.objects, workflows.executions],
    ...[workflows.inputs, workflows.answers, planDrops.answers, deps.fargate.entries],
  ];
  const text = JSON.stringify(things, (_name, value: unknown) => {
    if (value instanceof Map) return [...(value as Map<unknown, unknown>)];
    if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
    if (typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer')
      return Buffer.from((value as unknown as { data: number[] }).data).toString('latin1');
    return typeof value === 'bigint' ? value.toString() : value;
  });
  return without.reduce((rest, secret) => rest.replaceAll(secret, ''), text);
}

const kinds: TokenKind[] = ['claim-ticket', 'attempt', 'cancellation', 'session'];

function listTokens(scenario: Scenario): Record<TokenKind, string> {
  const mint = (kind: TokenKind) => mintToken(scenario.runKey, kind, scenario.attemptId);
  return Object.fromEntries(kinds.map((kind) => [kind, mint(kind)])) as Record<TokenKind, string>;
}

describe('tokens', () => {
  it('E101 are found nowhere in what is stored, also when an executor copies them about', async () => {
    const scenario = await createScenario();
    const courier = await startCourier(scenario);
    const { session_key } = courier;
    const { attemptId, deps } = scenario;
    const tokens = listTokens(scenario);
    await heartbeatAttempt(deps, { attempt_id: attemptId, session_key });
    await renewAttempt(deps, { attempt_id: attemptId, session_key });
    const body = composeSubmission(scenario, courier);
    for (const token of Object.values(tokens)) {
      body.response.observations.push({ type: 'NOTE', detail: `I was given ${token}!` });
    }
    Object.assign(body.response, { [tokens.attempt]: tokens.cancellation });
    body.record.sandbox!.limit_mechanisms['note'] = tokens.session;
    expect(await submitAttempt(deps, body)).toEqual({ kind: 'RETURNED' });
    await submitAttempt(deps, { ...body, response: { ...body.response, executor_version: 'x' } });
    await admitAttempt(deps, scenario.name);
    await placeStopOrder(scenario);
    await heartbeatAttempt(deps, { attempt_id: attemptId, session_key });
    await closeAttempt(deps, { attemptId, cause: 'ORPHAN_TASK', fromOwnWorkflow: false });
    const stored = renderStored(scenario);
    expect(stored).toContain(scenario.prepared.request.attempt_token_sha256);
    for (const kind of kinds) {
      // The ticket is the one secret that may stand in a task's override: it is worthless after the claim.
      const times = stored.split(tokens[kind]).length - 1;
      expect({ kind, times }).toEqual({ kind, times: kind === 'claim-ticket' ? 1 : 0 });
    }
    expect(stored).not.toContain(courier.credentials.secret_access_key);
  });

  it('E101 of another attempt are not stored either when somebody tries them here', async () => {
    const scenario = await createScenario();
    const body = composeSubmission(scenario, await startCourier(scenario));
    const { attemptId } = composePrepared(scenario.runKey, { attemptNumber: 2 });
    const foreign = mintToken(scenario.runKey, 'attempt', attemptId);
    body.response.attempt_token = foreign;
    body.response.observations.push({ type: 'NOTE', detail: foreign });
    expect(await submitAttempt(scenario.deps, body)).toMatchObject({ refusal: 'TOKEN_UNKNOWN' });
    expect(renderStored(scenario)).not.toContain(foreign);
  });
});
