import { describe, it } from 'vitest';
import { expectFailsClosed } from './expect-fails-closed.ts';
import { loadFamily, type FamilyName } from './misbehaving/families.ts';
import { playBehaviour } from './play-behaviour.ts';

/** Beyond the deadline of the most patient command, on a machine that is busy. */
const timeout = 90_000;

/** One test for each behaviour of a family; they run side by side, as most of the time they wait. */
export async function describeFamily(family: FamilyName): Promise<void> {
  const behaviours = await loadFamily(family);
  describe.concurrent(`artifact commands and adapters: ${family}`, { timeout }, () => {
    behaviours.forEach((behaviour, place) => {
      it(behaviour.title, async () => {
        const played = await playBehaviour(family, place, behaviour);
        expectFailsClosed(behaviour, played);
      });
    });
  });
}
