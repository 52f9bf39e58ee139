import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composeRandomPlan, shapesUpTo } from '../compose-random-plan.ts';
import { propertyParameters } from '../property-parameters.ts';
import { DriveWorld, type Storm } from './drive-world.ts';
import { expectSoundLog, expectStartsInLog } from './expect-sound-log.ts';

const shapes = shapesUpTo(60);

const storms: fc.Arbitrary<Storm> = fc.record({
  seed: fc.nat(),
  deathChance: fc.constantFrom(0, 0.005, 0.02, 0.1),
  failureChance: fc.constantFrom(0, 0.1, 0.4),
  steps: fc.constantFrom(30, 120, 400),
  cancels: fc.boolean(),
});

describe('a control plane in which anybody dies at any call', () => {
  it('p2 p17 p25 p37 p39 E10 E18 E23 ends each run right, with each node settled once', async () => {
    const seen = { deaths: 0, sweeps: 0, generations: 0 };
    await fc.assert(
      fc.asyncProperty(shapes, storms, async (shape, storm) => {
        const world = new DriveWorld(composeRandomPlan(shape), storm);
        await world.play(() => {
          expectStartsInLog(world);
        });
        expectSoundLog(world);
        seen.deaths += world.deaths;
        seen.sweeps += world.sweeps;
        seen.generations += world.head.generation;
      }),
      propertyParameters(150),
    );
    console.log(JSON.stringify(seen));
    expect(seen.deaths).toBeGreaterThan(50);
  });
});
