import fc from 'fast-check';
import type { ExpandedNode, ExpandedPlan } from '../../schemas/expanded-plan.ts';
import { RandomSource } from './random-source.ts';

export interface PlanShape {
  seed: number;
  nodes: number;
  /** The chance that a node needs any one of the few nodes before it that are looked at. */
  density: number;
  parallelism: number;
  maxAttempts: number;
  onFailure: 'stop' | 'continue';
  /** Whether the budget may run out in mid-run. */
  tight: boolean;
}

/** Shapes of plans of at most so many nodes. */
export function shapesUpTo(nodes: number): fc.Arbitrary<PlanShape> {
  return fc.record({
    seed: fc.nat(),
    nodes: fc.integer({ min: 1, max: nodes }),
    density: fc.double({ min: 0, max: 1, noNaN: true }),
    parallelism: fc.integer({ min: 1, max: 40 }),
    maxAttempts: fc.integer({ min: 1, max: 4 }),
    onFailure: fc.constantFrom('stop', 'continue'),
    tight: fc.boolean(),
  });
}

const outputs = { out: { mediaType: 'application/json', maxBytes: 1_000, filename: null } };

/** A plan of functions and tools whose nodes take from random earlier ones; listed in a random order. */
export function composeRandomPlan(shape: PlanShape): ExpandedPlan {
  const random = new RandomSource(shape.seed);
  const ids = random.shuffle(
    Array.from({ length: shape.nodes }, (_, index) => `n${String(index)}`),
  );
  const nodes = ids.map((id, place) =>
    composeNode(random, id, pickNeeds(random, ids, place, shape)),
  );
  const money = shape.tight ? 20_000n + BigInt(random.below(400_000)) : 10n ** 12n;
  return {
    schemaVersion: 1,
    name: 'random',
    description: '',
    budget: {
      COMPUTE_COST: money,
      ATTEMPTS: shape.tight ? BigInt(1 + random.below(2 * shape.nodes)) : 1_000_000n,
      WALL_SECONDS: 10n ** 9n,
    },
    policy: {
      version: 1,
      parallelism: shape.parallelism,
      maxAttempts: shape.maxAttempts,
      onFailure: shape.onFailure,
    },
    registryVersion: 1,
    priceTableVersion: 1,
    executors: {
      reckon: {
        id: 'reckon',
        kind: 'function',
        level: 1,
        isGroupable: true,
        version: '1.0.0',
        operations: ['reckon'],
        actionTypes: ['EXECUTE'],
        outputMediaTypes: ['application/json'],
        description: 'A function.',
      },
      forge: {
        id: 'forge',
        kind: 'fargate',
        level: 2,
        version: '2.0.0',
        operations: ['forge'],
        actionTypes: ['EXECUTE'],
        outputMediaTypes: ['application/json'],
        description: 'A tool.',
        environment: 'smithy-v1',
        environmentDigest: 'e'.repeat(64),
        commands: ['FORGE'],
        verification: { toolSha256: 'f'.repeat(64), evidence: 'tests', verifiedOn: '2026-01-01' },
      },
    },
    prices: {
      reckon: { perStartMicroUsd: 1n, perHourMicroUsd: 100_000n },
      forge: { perStartMicroUsd: 0n, perHourMicroUsd: 50_000n },
    },
    nodes: random.shuffle(nodes),
    deliverables: ids
      .filter(() => random.chance(0.5))
      .map((node) => ({ node, output: 'out', filename: `${node}.json` })),
  };
}

function pickNeeds(
  random: RandomSource,
  ids: readonly string[],
  place: number,
  shape: PlanShape,
): string[] {
  const needs = new Set<string>();
  for (let tries = 0; tries < Math.min(place, 5); tries += 1) {
    if (random.chance(shape.density)) needs.add(ids[random.below(place)] ?? '');
  }
  return [...needs].sort();
}

function composeNode(random: RandomSource, id: string, needs: string[]): ExpandedNode {
  const operation = random.chance(0.6) ? 'reckon' : 'forge';
  const taken = needs.filter(() => random.chance(0.7));
  return {
    id,
    writtenId: id,
    title: id,
    actionType: 'EXECUTE',
    operation,
    candidates: [operation],
    takes: Object.fromEntries(
      taken.map((need) => [need, { kind: 'output', nodes: [need], output: 'out', list: false }]),
    ),
    gives: outputs,
    params: {},
    needs,
    contract: { version: 1, goal: id, accept: [] },
    priority: random.below(3) - 1,
    maxAttemptMicroUsd: null,
    // Mostly alike, as attempts of a group have one time-out.
    timeoutSeconds: random.chance(0.7) ? 120 : 10 + random.below(600),
  };
}
