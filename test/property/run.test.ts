import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findReadyNodes } from './find-ready-nodes.ts';
import type { RunState } from '../../functions/domain/run/run-state.ts';
import { parseRunEvent, renderRunEvent } from '../../schemas/run-event.ts';
import type { LogEntry } from '../../schemas/run-log.ts';
import { composeRandomPlan, shapesUpTo } from './compose-random-plan.ts';
import {
  expectChain,
  expectEnd,
  expectMoneyHolds,
  expectNothingAfterCancel,
} from './expect-sound-run.ts';
import { propertyParameters } from './property-parameters.ts';
import { isReplayEqual, simulateRun, type Weather } from './simulate-run.ts';

const shapes = shapesUpTo(200);

const weathers: fc.Arbitrary<Weather> = fc.record({
  seed: fc.nat(),
  failureChance: fc.constantFrom(0, 0.1, 0.5),
  isStormy: fc.boolean(),
  cancelAfter: fc.constantFrom(-1, -1, -1, 2, 10),
});

describe('a run', () => {
  it('E10 E11 E18 E23 E59 ends right whatever the interleaving, duplicates, late answers and restarts', () => {
    fc.assert(
      fc.property(shapes, weathers, (shape, weather) => {
        const plan = composeRandomPlan(shape);
        const simulation = simulateRun(plan, weather, (state, reduction, entries) => {
          expectMoneyHolds(state);
          expectOnlyReadyPrepared(state, entries);
          expect(state.live.size).toBeLessThanOrEqual(shape.parallelism);
          expect(reduction.prepared.length).toBeLessThanOrEqual(40);
        });
        expectEnd(simulation.state);
        expectSettledOnce(simulation.entries, simulation.state);
        expectChain(simulation.entries);
        expect(isReplayEqual(simulation)).toBe(true);
        const events = simulation.entries.flatMap((entry) => entry.events);
        expectNothingAfterCancel(events);
        expect(events.at(-1)?.type).toBe('RUN_ENDED');
      }),
      propertyParameters(120),
    );
  });

  it('E6 E10 comes to the same end in every interleaving when nothing is shared between branches', () => {
    fc.assert(
      fc.property(shapes, weathers, fc.nat(), (shape, weather, otherSeed) => {
        const plan = composeRandomPlan({ ...shape, onFailure: 'continue', tight: false });
        const calm = { ...weather, cancelAfter: -1 };
        const first = simulateRun(plan, calm, () => undefined).state;
        const second = simulateRun(
          plan,
          { ...calm, seed: otherSeed, isStormy: true },
          () => undefined,
        ).state;
        expect(listEnds(second)).toEqual(listEnds(first));
        expect(second.status).toBe(first.status);
        expect(second.budget.spent).toEqual(first.budget.spent);
      }),
      propertyParameters(80),
    );
  });

  it('E10 keeps every event through its encoding', () => {
    fc.assert(
      fc.property(shapes, weathers, (shape, weather) => {
        const { entries } = simulateRun(
          composeRandomPlan({ ...shape, nodes: 10 }),
          weather,
          () => undefined,
        );
        for (const event of entries.flatMap((entry) => entry.events)) {
          expect(parseRunEvent(JSON.parse(JSON.stringify(renderRunEvent(event))))).toEqual(event);
        }
      }),
      propertyParameters(20),
    );
  });
});

/** By the log alone: whatever the last entry prepared had all its needs accepted before. */
function expectOnlyReadyPrepared(state: RunState, entries: readonly LogEntry[]): void {
  const accepted = new Set(
    entries.flatMap(({ events }) =>
      events.flatMap((event) => (event.type === 'NODE_ACCEPTED' ? [event.nodeId] : [])),
    ),
  );
  const ready = new Set(findReadyNodes(state.plan.nodes, accepted).map((node) => node.id));
  for (const event of entries.at(-1)?.events ?? []) {
    if (event.type === 'ATTEMPT_PREPARED') expect(ready.has(event.nodeId)).toBe(true);
  }
}

function expectSettledOnce(entries: readonly LogEntry[], state: RunState): void {
  const settled = entries.flatMap(({ events }) =>
    events.flatMap((event) =>
      event.type === 'NODE_ACCEPTED' ||
      event.type === 'NODE_FAILED' ||
      event.type === 'NODE_SKIPPED'
        ? [event.nodeId]
        : [],
    ),
  );
  expect(settled.length).toBe(state.plan.nodes.length);
  expect(new Set(settled).size).toBe(settled.length);
}

function listEnds(state: RunState): unknown[] {
  return [...state.nodes.entries()]
    .map(([id, node]) => ({
      id,
      status: node.status,
      failure: node.failure,
      attempts: node.attempts,
    }))
    .sort((left, right) => (left.id < right.id ? -1 : 1));
}
