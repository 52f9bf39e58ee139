import type { Artifact } from '../../../../schemas/artifact.ts';
import type { AttemptOutcome } from '../../../../schemas/attempt-outcome.ts';
import type { ExpandedNode, ExpandedPlan } from '../../../../schemas/expanded-plan.ts';
import type { RunEvent } from '../../../../schemas/run-event.ts';
import { nameOutcomeMessage, type RunMessage } from '../../../../schemas/run-message.ts';
import { initialRunState } from '../../../../functions/domain/run/initial-run-state.ts';
import {
  reduceMessages,
  type Reduction,
} from '../../../../functions/domain/run/reduce-messages.ts';
import type { RunState } from '../../../../functions/domain/run/run-state.ts';

export const at = '2026-01-01T00:00:00.000Z';
export const digest = 'a'.repeat(64);
export const runId = `run_${'0'.repeat(26)}`;

/** A node of 100 seconds; `needs` are taken from. */
export function composeNode(id: string, extra: Partial<ExpandedNode> = {}): ExpandedNode {
  const needs = extra.needs ?? [];
  return {
    id,
    writtenId: id,
    title: id,
    actionType: 'EXECUTE',
    operation: 'reckon',
    candidates: ['reckon'],
    takes: Object.fromEntries(
      needs.map((need) => [need, { kind: 'output', nodes: [need], output: 'out', list: false }]),
    ),
    gives: { out: { mediaType: 'application/json', maxBytes: 1_000, filename: null } },
    params: { n: 1 },
    needs,
    contract: { version: 3, goal: id, accept: [] },
    priority: 0,
    maxAttemptMicroUsd: null,
    timeoutSeconds: 100,
    ...extra,
  };
}

export const forgeNode = { operation: 'forge', candidates: ['forge'] };

/** An attempt of `reckon` may cost 100 micro-USD, one of `forge` (with its start) 280. */
export function composePlan(
  nodes: ExpandedNode[],
  extra: Partial<ExpandedPlan> = {},
): ExpandedPlan {
  const common = { actionTypes: ['EXECUTE' as const], outputMediaTypes: ['application/json'] };
  return {
    schemaVersion: 1,
    name: 'plan',
    description: '',
    budget: { COMPUTE_COST: 1_000_000n, ATTEMPTS: 1_000n, WALL_SECONDS: 1_000_000n },
    policy: { version: 1, parallelism: 40, maxAttempts: 3, onFailure: 'continue' },
    registryVersion: 1,
    priceTableVersion: 1,
    executors: {
      reckon: {
        ...common,
        id: 'reckon',
        kind: 'function',
        level: 1,
        version: '1.2.3',
        operations: ['reckon'],
        description: 'f',
      },
      forge: {
        ...common,
        id: 'forge',
        kind: 'fargate',
        level: 2,
        version: '2.0.0',
        operations: ['forge'],
        description: 't',
        environment: 'smithy-v1',
        environmentDigest: 'e'.repeat(64),
        commands: ['HEAT', 'STRIKE'],
        verification: { toolSha256: 'f'.repeat(64), evidence: 'tests', verifiedOn: '2026-01-01' },
      },
    },
    prices: {
      reckon: { perStartMicroUsd: 0n, perHourMicroUsd: 3_600n },
      forge: { perStartMicroUsd: 0n, perHourMicroUsd: 3_600n },
    },
    nodes,
    deliverables: [],
    ...extra,
  };
}

/** A run with a hand on its clock. */
export class TestRun {
  readonly plan: ExpandedPlan;
  state: RunState;
  last: Reduction;
  readonly entries: { events: RunEvent[]; drained: string[] }[] = [];

  constructor(plan: ExpandedPlan) {
    this.plan = plan;
    this.state = initialRunState({ runId, board: 'harbour', plan, planSha256: digest });
    this.last = this.send([
      { type: 'START', id: 'start', at, planSha256: digest, startedBy: 'role/starter' },
    ]);
  }

  send(messages: RunMessage[], now = at, confirmed: string[] = []): Reduction {
    const deliveries = messages.map((message, index) => ({ key: `k${String(index)}`, message }));
    this.last = reduceMessages(this.state, deliveries, {
      now,
      confirmed,
      tokenDigests: () => ({
        attemptTokenSha256: 'b'.repeat(64),
        cancellationTokenSha256: 'c'.repeat(64),
      }),
    });
    this.state = this.last.state;
    if (this.last.events.length > 0)
      this.entries.push({ events: this.last.events, drained: this.last.drained });
    return this.last;
  }

  /** The id of the newest attempt of a node. */
  attempt(node: string): string {
    return this.state.nodes.get(node)?.attempts.at(-1) ?? '';
  }

  end(node: string, outcome: Partial<AttemptOutcome> = {}, now = at): Reduction {
    return this.send([composeOutcome(this.attempt(node), outcome)], now);
  }

  cancel(id = 'cancel'): Reduction {
    return this.send([{ type: 'CANCEL', id, at, by: 'role/operator', cause: 'enough' }]);
  }

  status(node: string): string | undefined {
    return this.state.nodes.get(node)?.status;
  }
}

export function composeArtifact(attemptId = 'att'): Artifact {
  return {
    key: `attempts/${attemptId}/x`,
    versionId: 'v9',
    sha256: digest,
    size: 7,
    mediaType: 'application/json',
    filename: null,
  };
}

export function composeOutcome(
  attemptId: string,
  outcome: Partial<AttemptOutcome> = {},
): RunMessage {
  const isGood = (outcome.end ?? 'SUCCEEDED') === 'SUCCEEDED';
  const out = composeArtifact(attemptId);
  return {
    type: 'ATTEMPT_OUTCOME',
    id: nameOutcomeMessage(attemptId),
    at,
    attemptId,
    outcome: {
      end: 'SUCCEEDED',
      reason: null,
      detail: '',
      outputs: isGood ? { out } : {},
      failedChecks: [],
      recordSha256: null,
      costMicroUsd: 5n,
      wallSeconds: 2,
      claimedAt: null,
      returnedAt: null,
      endedAt: at,
      ...outcome,
    },
  };
}

export function listTypes(reduction: Reduction): string[] {
  return reduction.events.map((event) => event.type);
}
