import { nameAttemptPrefix } from '../../../schemas/name-attempt-prefix.ts';
import { digestBytes, renderCanonical } from '../../../schemas/digest.ts';
import { encodePlan } from '../../../schemas/expanded-plan.ts';
import { createInMemoryPorts } from '../../../functions/adapters/in-memory/create-in-memory-ports.ts';
import type { BuiltInFunction } from '../../../functions/executors/built-in-function.ts';
import { claimAttempt } from '../../../functions/use-cases/attempt/claim-attempt.ts';
import { createPlanReader } from '../../../functions/use-cases/attempt/create-plan-reader.ts';
import { launchAttempt } from '../../../functions/use-cases/attempt/launch-attempt.ts';
import {
  board,
  composePlan,
  composePrepared,
  composeRecord,
  composeResponse,
  inputBytes,
  inputKey,
  outputBytes,
  runId,
  type FixtureOptions,
} from './attempt-fixture.ts';

export const workflowToken = 'workflow-token-1';

/** A control plane in memory with one prepared attempt, its plan and its input. */
export async function createScenario(options: FixtureOptions = {}) {
  const ports = createInMemoryPorts();
  const runKey = await ports.tokenKeys.deriveRunKey(runId);
  const { versionId } = ports.artifacts.place(inputKey, inputBytes, 'application/json');
  const prepared = composePrepared(runKey, { ...options, inputVersion: versionId });
  await ports.documents.put('plans', renderCanonical(encodePlan(composePlan(options))));
  await ports.attempts.prepare([prepared]);
  ports.table.parked.set(runId, { runId, generation: 1, call: 1, token: 'drive-token', seq: 0 });
  const deps = {
    ...ports,
    readPlanned: createPlanReader(ports.documents),
    upload: { bucket: 'artifacts', region: 'eu-central-1' },
    findFunction: (operation: string): BuiltInFunction | undefined =>
      operation === 'summarise' ? summarise : undefined,
  };
  const { attemptId } = prepared;
  return { deps, prepared, runKey, attemptId, name: { attemptId, runId, board } };
}
export type Scenario = Awaited<ReturnType<typeof createScenario>>;

const summarise: BuiltInFunction = {
  operation: 'summarise',
  version: '1.0.0',
  checkParams: () => [],
  run: () =>
    Promise.resolve({
      kind: 'outputs',
      outputs: {
        summary: { bytes: outputBytes['summary']!, mediaType: 'application/json' },
        page: { bytes: outputBytes['page']!, mediaType: 'text/html' },
      },
    }),
};

export function launch(scenario: Scenario, taskToken = workflowToken) {
  return launchAttempt(scenario.deps, { attemptId: scenario.attemptId, taskToken });
}

/** The ticket that the task was started with. */
export function readTicket(scenario: Scenario): string {
  const entry = scenario.deps.fargate.entries.find(
    ({ attemptId }) => attemptId === scenario.attemptId,
  );
  return entry!.launch.claimTicket;
}

export const nonce = 'n'.repeat(43);

export function claim(scenario: Scenario, courierNonce = nonce) {
  return claimAttempt(scenario.deps, {
    attempt_id: scenario.attemptId,
    claim_ticket: readTicket(scenario),
    nonce: courierNonce,
  });
}

/** Launches and claims; answers what the courier holds. */
export async function startCourier(scenario: Scenario) {
  await launch(scenario);
  scenario.deps.clock.advance(10);
  const answer = await claim(scenario);
  if (answer.kind !== 'CLAIMED') throw new Error(`the claim was refused: ${answer.refusal}`);
  return answer.answer;
}

/** Puts good outputs where the courier would and composes the body of a good submission. */
export function composeSubmission(
  scenario: Scenario,
  courier: Awaited<ReturnType<typeof startCourier>>,
) {
  const { deps, prepared } = scenario;
  const startedAt = deps.clock.now().toISOString();
  const versions: Record<string, string> = {};
  for (const [name, bytes] of Object.entries(outputBytes)) {
    const key = `${nameAttemptPrefix(prepared.attemptId)}${digestBytes(bytes)}`;
    versions[name] = deps.artifacts.place(key, bytes).versionId;
  }
  deps.clock.advance(30);
  const times = { startedAt, finishedAt: deps.clock.now().toISOString() };
  return {
    attempt_id: prepared.attemptId,
    session_key: courier.session_key,
    response: composeResponse(prepared, times, courier.request.attempt_token),
    record: composeRecord(prepared, times, versions),
  };
}

export function listMessages(scenario: Scenario, type?: string) {
  const messages = [...(scenario.deps.table.messages.get(runId)?.values() ?? [])];
  return type === undefined ? messages : messages.filter((message) => message.type === type);
}

export async function placeStopOrder(scenario: Scenario): Promise<void> {
  const at = scenario.deps.clock.now().toISOString();
  await scenario.deps.stopOrders.place({ board, runId, by: 'operator', cause: 'enough', at });
}
