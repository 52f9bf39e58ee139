import { describe, expect, it } from 'vitest';
import { genesisHash, type LogEntry } from '../../../schemas/run-log.ts';
import { digestRunState } from '../../../functions/domain/run/render-run-state.ts';
import { loadRunState } from '../../../functions/use-cases/run/load-run-state.ts';
import { composeNode, composePlan } from '../domain/run/compose-run.ts';
import { DriveScenario, runId } from './drive-scenario.ts';

async function runToEnd(): Promise<DriveScenario> {
  const nodes = [composeNode('a'), composeNode('b', { needs: ['a'] })];
  const run = await DriveScenario.begin(composePlan(nodes));
  await run.drive(1);
  await run.settle('a');
  await run.drive(2);
  await run.settle('b');
  await run.drive(3);
  return run;
}

/** The log with one entry changed. */
function tamper(run: DriveScenario, change: (entries: LogEntry[]) => LogEntry[]): void {
  run.ports.table.entries.set(runId, change(structuredClone(run.entries)));
}

describe('loadRunState', () => {
  it('E10 E23 folds the log to the state that the reducer had, from any place in it', async () => {
    const run = await runToEnd();
    const live = run.memory.get(runId);
    const loaded = await loadRunState(run.ports, run.head);
    expect({ seq: loaded.seq, hash: loaded.hash }).toEqual({
      seq: run.head.seq,
      hash: run.head.hash,
    });
    if (live !== undefined)
      expect(digestRunState(live.run.state)).toBe(digestRunState(loaded.state));
    const [first] = run.entries;
    if (first === undefined) throw new Error('no entry');
    const early = await loadRunState(run.ports, { ...run.head, seq: 1, hash: first.hash });
    const onward = await loadRunState(run.ports, run.head, early);
    expect(digestRunState(onward.state)).toBe(digestRunState(loaded.state));
  });

  it('gives the run before its first entry', async () => {
    const run = await DriveScenario.begin(composePlan([composeNode('a')]));
    const loaded = await loadRunState(run.ports, run.head);
    expect(loaded).toMatchObject({ seq: 0, hash: genesisHash });
    expect(loaded.state.status).toBe('STARTING');
  });

  it('reads a log that is longer than a page', async () => {
    const run = await runToEnd();
    const { runLog } = run.ports;
    const readEntries = runLog.readEntries.bind(runLog);
    runLog.readEntries = (id, after) => readEntries(id, after, 1);
    expect((await loadRunState(run.ports, run.head)).seq).toBe(run.head.seq);
  });

  it.each<[string, (entries: LogEntry[]) => LogEntry[]]>([
    ['removed', (entries) => entries.filter((_, index) => index !== 1)],
    ['reordered', ([first, second, ...rest]) => [second, first, ...rest] as LogEntry[]],
    ['missing at the end', (entries) => entries.slice(0, -1)],
    [
      'changed in what it follows',
      (entries) =>
        entries.map((entry, index) =>
          index === 1 ? { ...entry, prevHash: 'f'.repeat(64) } : entry,
        ),
    ],
    [
      'changed in its hash',
      (entries) =>
        entries.map((entry, index) => (index === 1 ? { ...entry, hash: 'f'.repeat(64) } : entry)),
    ],
    [
      'changed in its events',
      (entries) => entries.map((entry, index) => (index === 1 ? { ...entry, events: [] } : entry)),
    ],
  ])('E23 refuses a log in which an entry is %s', async (_name, change) => {
    const run = await runToEnd();
    tamper(run, change);
    await expect(loadRunState(run.ports, run.head)).rejects.toMatchObject({
      name: 'PermanentError',
    });
  });

  it('E23 refuses a head that names another entry', async () => {
    const run = await runToEnd();
    await expect(loadRunState(run.ports, { ...run.head, hash: 'f'.repeat(64) })).rejects.toThrow(
      'names another entry',
    );
  });

  it('p32 refuses a plan whose bytes are not what its digest says', async () => {
    const run = await runToEnd();
    run.ports.documents.documents.set(`plans/sha256/${run.head.planSha256}`, '{}');
    await expect(loadRunState(run.ports, run.head)).rejects.toMatchObject({
      name: 'ArtifactCorruptError',
    });
  });
});
