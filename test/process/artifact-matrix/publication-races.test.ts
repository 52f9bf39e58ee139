import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { renderFailureLine, type ArtifactFailure } from '../../../cli/artifact/artifact-failure.ts';
import { stageFile, type StagedFile } from '../../../cli/artifact/destination/staged-file.ts';
import { inspectFolder } from '../../support/artifact-adapters/inspect-folder.ts';
import { hashBytes } from '../../support/artifact-adapters/misbehaving/call.ts';
import { runArtifactCommand } from '../../support/artifact-adapters/run-artifact-command.ts';
import { startRival, type Rival } from '../../support/artifact-adapters/start-rival.ts';
import {
  makeFixtureStore,
  type FixtureStore,
} from '../../support/artifact-adapters/use-fixture-store.ts';

const patientMilliseconds = 180_000;
const races = 16;
const collisions = 300;
const replacements = 8;
/** More than any pipe or write takes at once, so that a file under construction could be seen. */
const fileBytes = 3_000_000;
const rivalText = 'written by the second process, in two halves';
const taken = { status: 1, stderr: `${renderFailureLine('artifact_destination_exists')}\n` };

let store: FixtureStore;
let rival: Rival;
const bytes = [Buffer.alloc(fileBytes, 'first '), Buffer.alloc(fileBytes, 'other ')];
const references: string[] = [];

async function run(words: string[]) {
  return await runArtifactCommand({
    words: [...words, '--worker-runtime', store.runtime()],
    folder: store.work,
  });
}

beforeAll(async () => {
  store = makeFixtureStore();
  store.makeTask('fleet', 't_1');
  for (const [place, content] of bytes.entries()) {
    const file = path.join(store.folder, `source-${String(place)}`);
    writeFileSync(file, content);
    const ran = await run(['upload', 'fleet', 't_1', file]);
    references.push((JSON.parse(ran.stdout) as { reference: string }).reference);
  }
});

afterAll(() => {
  store.remove();
});

// One for each test: what fails leaves its rival waiting for a sign that never comes.
beforeEach(async () => {
  rival = await startRival();
});

afterEach(() => {
  rival.stop();
});

/** Milliseconds that a download takes here and now. */
async function measureDownload(): Promise<number> {
  const started = performance.now();
  const ran = await run(['download', references[0]!, 'measured']);
  expect(ran.stderr).toBe('');
  return performance.now() - started;
}

/** What must be there after a race, whoever won: one whole file, and nothing beside it. */
async function raceOnce(name: string, afterMilliseconds: number): Promise<'rival' | 'command'> {
  const file = path.join(store.work, name);
  const [claimed, ran] = await Promise.all([
    rival.claim(file, afterMilliseconds, rivalText),
    run(['download', references[0]!, name]),
  ]);
  const { status, stderr } = ran;
  const seen = `after ${afterMilliseconds.toFixed(1)} ms`;
  if (claimed.won) {
    expect({ status, stderr }, seen).toEqual(taken);
    expect(readFileSync(file, 'utf8'), seen).toBe(rivalText);
    return 'rival';
  }
  expect({ status, stderr }, seen).toEqual({ status: 0, stderr: '' });
  expect(claimed.found, seen).toBe(hashBytes(bytes[0]!));
  expect(hashBytes(readFileSync(file)), seen).toBe(hashBytes(bytes[0]!));
  return 'command';
}

/** False when the name was taken, which is the one fault that may be met here. */
function publish(staged: StagedFile): boolean {
  try {
    staged.publish(false);
    return true;
  } catch (error) {
    expect((error as ArtifactFailure).code).toBe('artifact_destination_exists');
    return false;
  }
}

describe('publication of a download', { timeout: patientMilliseconds }, () => {
  it('A47 leaves a destination to whoever is there first, and it is never both or a part', async () => {
    const usual = await measureDownload();
    const winners = { rival: 0, command: 0 };
    for (let race = 0; race < races; race += 1) {
      // Most of the moments lie where the bytes come and get their name.
      const moment = usual * (0.4 + 0.8 * Math.random());
      winners[await raceOnce(`race-${String(race)}`, moment)] += 1;
    }
    winners[await raceOnce('early', 0)] += 1;
    expect(winners.rival).toBeGreaterThan(0);
    const left = readdirSync(store.work).filter((name) => !/^(race-\d+|early)$/.test(name));
    expect(left).toEqual(['measured']);
  });

  it('A47 decides at the moment of publication, also when the other acts in that moment', async () => {
    const sign = path.join(store.folder, 'sign');
    for (let collision = 0; collision < collisions; collision += 1) {
      const name = `collision-${String(collision)}`;
      const file = path.join(store.work, name);
      const claiming = rival.claimWhen(file, sign, rivalText);
      const staged = await stageFile({ folder: store.work, name });
      await staged.write(bytes[0]!.subarray(0, 1_000));
      await staged.finish();
      writeFileSync(sign, '');
      const published = publish(staged);
      await staged.discard();
      const claimed = await claiming;
      rmSync(sign);
      expect(published).toBe(!claimed.won);
      expect(readFileSync(file, 'utf8')).toBe(
        claimed.won ? rivalText : bytes[0]!.toString('utf8', 0, 1_000),
      );
    }
    expect(readdirSync(store.work).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('A47 gives one destination to one of three downloads at once', async () => {
    for (let round = 0; round < 4; round += 1) {
      const name = `three-${String(round)}`;
      const ends = await Promise.all(
        [0, 1, 0].map(async (place) => await run(['download', references[place]!, name])),
      );
      expect(ends.filter(({ status }) => status === 0)).toHaveLength(1);
      for (const { status, stderr } of ends.filter((end) => end.status !== 0))
        expect({ status, stderr }).toEqual(taken);
      const winner = ends.findIndex(({ status }) => status === 0);
      const found = readFileSync(path.join(store.work, name));
      expect(found.equals(bytes[winner % 2]!)).toBe(true);
    }
    expect(readdirSync(store.work).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('A44 A46 shows a reader the old file or the new one, whole, while it is replaced', async () => {
    const file = path.join(store.work, 'replaced');
    const stop = path.join(store.folder, 'stop-1');
    writeFileSync(file, bytes[1]!);
    const reading = await rival.read(file, stop);
    for (let time = 0; time < replacements; time += 1) {
      const ran = await run(['download', references[time % 2]!, 'replaced', '--overwrite']);
      expect(ran.stderr).toBe('');
    }
    writeFileSync(stop, '');
    const { reads, found } = await reading.ended;
    expect(reads).toBeGreaterThan(replacements);
    expect(Object.keys(found).sort()).toEqual(bytes.map(hashBytes).sort());
  });

  it('A44 shows a reader nothing or the whole of a new file', async () => {
    const file = path.join(store.work, 'new');
    const stop = path.join(store.folder, 'stop-2');
    const reading = await rival.read(file, stop);
    const ran = await run(['download', references[0]!, 'new']);
    expect(ran.stderr).toBe('');
    writeFileSync(stop, '');
    const { found } = await reading.ended;
    expect(Object.keys(found).sort()).toEqual([hashBytes(bytes[0]!), 'nothing'].sort());
    expect(inspectFolder(store.work)['new']?.length).toBe(fileBytes);
  });
});
