import { limits } from '../../../schemas/limits.ts';
import { describe, expect, it } from 'vitest';
import {
  nodeDetail,
  runDeliverables,
  runDetail,
  runEvents,
  runList,
} from '../../../schemas/public-api.ts';
import {
  findRun,
  listDeliverables,
  hintNode,
  listEvents,
  listRuns,
  showNode,
  showRun,
} from '../../../functions/use-cases/run/show-run.ts';
import type { RunEvent } from '../../../schemas/run-event.ts';
import { hashLogEntry } from '../../../schemas/run-log.ts';
import { describeHead, describeStart } from '../../contract/examples.ts';
import { composeNode, composePlan } from '../domain/run/compose-run.ts';
import { board, DriveScenario, runId } from './drive-scenario.ts';

const deliverables = [
  { node: 'a', output: 'out', filename: 'first.json' },
  { node: 'b', output: 'out', filename: 'second.json' },
];

async function begin(): Promise<DriveScenario> {
  const nodes = [composeNode('a'), composeNode('b', { needs: ['a'] })];
  const run = await DriveScenario.begin(composePlan(nodes, { deliverables }));
  await run.drive(1);
  await run.settle('a');
  await run.drive(2);
  return run;
}

async function finish(): Promise<DriveScenario> {
  const run = await begin();
  await run.settle('b');
  await run.drive(3);
  return run;
}

describe('findRun', () => {
  it('E20 finds a run on its own board and on no other', async () => {
    const { ports, head } = await begin();
    expect(await findRun(ports, board, runId)).toEqual(head);
    expect(await findRun(ports, 'quay', runId)).toBeUndefined();
    expect(await findRun(ports, board, `run_${'Z'.repeat(26)}`)).toBeUndefined();
  });
});

describe('showRun', () => {
  it('E24 tells the state that the log gives, the same each time', async () => {
    const run = await begin();
    const shown = await showRun(run.ports, run.head);
    expect(runDetail.parse(shown)).toMatchObject({
      run_id: runId,
      status: 'RUNNING',
      seq: run.head.seq,
      node_counts: { ACCEPTED: 1, ACTIVE: 1 },
      nodes: [
        { id: 'a', state: 'ACCEPTED', attempts: 1 },
        { id: 'b', state: 'ACTIVE', needs: ['a'] },
      ],
    });
    expect(await showRun(run.ports, run.head)).toEqual(shown);
  });

  it('shows a run of which nothing was reduced yet', async () => {
    const run = await DriveScenario.begin(composePlan([composeNode('a')]));
    expect(runDetail.parse(await showRun(run.ports, run.head))).toMatchObject({
      status: 'STARTING',
      seq: 0,
    });
  });

  it('shows a node with its attempts, and none that is not there', async () => {
    const run = await begin();
    expect(nodeDetail.parse(await showNode(run.ports, run.head, 'a'))).toMatchObject({
      id: 'a',
      attempt_list: [{ number: 1, executor: 'reckon', end: 'SUCCEEDED' }],
    });
    expect(await showNode(run.ports, run.head, 'nothing')).toBeUndefined();
  });

  it('says what to write in place of a node that is not there', async () => {
    const made = (id: string) => composeNode(id, { writtenId: 'read' });
    const plan = composePlan([made('read-0001'), made('read-0002'), composeNode('merge')]);
    const run = await DriveScenario.begin(plan);
    const hint = (name: string) => hintNode(run.ports, run.head, name);
    expect(await hint('read')).toBe('; for_each made read-0001 to read-0002 of it.');
    expect(await hint('marge')).toBe('; did you mean "merge"?');
    expect(await hint('nothing')).toBe('.');
  });
});

describe('listRuns', () => {
  it('lists the runs of the board, newest first, page by page, and no other', async () => {
    const { ports } = await DriveScenario.begin(composePlan([composeNode('a')]));
    const dated = (hour: number, onBoard = board) =>
      describeHead({ board: onBoard, createdAt: `2026-02-01T0${String(hour)}:00:00.000Z` });
    const heads = [dated(1), dated(2)];
    for (const head of [...heads, dated(3, 'quay')]) {
      await ports.runStarts.begin(describeStart(head));
    }
    const first = runList.parse(await listRuns(ports, board, { limit: 2, before: null }));
    expect(first.runs.map((run) => run.run_id)).toEqual([heads[1]?.runId, heads[0]?.runId]);
    const second = await listRuns(ports, board, { limit: 2, before: first.next });
    expect(second.runs.map((run) => run.run_id)).toEqual([runId]);
    expect(second.next).toBeNull();
  });
});

describe('listEvents', () => {
  it('tells every event once, in order, to who follows page by page', async () => {
    const run = await finish();
    const told: unknown[] = [];
    let after = 0;
    for (;;) {
      const page = runEvents.parse(await listEvents(run.ports, run.head, after));
      told.push(...page.events.map(({ event }) => event['type']));
      after = page.next;
      if (page.status === 'SUCCEEDED') break;
    }
    expect(told).toEqual(run.listTypes());
    expect(await listEvents(run.ports, run.head, after)).toEqual({
      events: [],
      next: after,
      status: 'SUCCEEDED',
    });
  });

  it('tells the end only with its event, though the head knows of it before', async () => {
    const run = await finish();
    extend(run, 150, () => ({ ...cancelled, cause: 'late' }));
    const first = await listEvents(run.ports, run.head, 0);
    expect(first.status).toBe('RUNNING');
    expect(first.next).toBeLessThan(run.head.seq);
    expect((await listEvents(run.ports, run.head, first.next)).status).toBe('SUCCEEDED');
  });

  it('bounds a page by its bytes, and never stands still', async () => {
    const run = await finish();
    extend(run, 6, () => ({ ...cancelled, cause: 'x'.repeat(1_000_000) }));
    extend(run, 1, () => ({ ...cancelled, cause: 'x'.repeat(3_000_000) }));
    const sizes: number[] = [];
    let after = 0;
    while (after < run.head.seq) {
      const page = await listEvents(run.ports, run.head, after);
      expect(page.next).toBeGreaterThan(after);
      sizes.push(JSON.stringify(page).length);
      after = page.next;
    }
    expect(Math.max(...sizes)).toBeLessThan(4_000_000);
    expect(sizes.length).toBeGreaterThan(3);
  });
});

describe('listDeliverables', () => {
  it('lists what was accepted, with a link to exactly that version, and nothing else', async () => {
    const run = await begin();
    const early = runDeliverables.parse(await listDeliverables(run.ports, run.head, 0));
    expect(early.deliverables.map(({ filename }) => filename)).toEqual(['first.json']);
    const done = await finish();
    const late = await listDeliverables(done.ports, done.head, 0);
    expect(late).toMatchObject({
      status: 'SUCCEEDED',
      deliverables: [{ node: 'a' }, { node: 'b', output: 'out', size: 7 }],
    });
    const query = new URL(late.deliverables[1]?.url ?? '').searchParams;
    expect(query.get('versionId')).toBe('v9');
    expect(query.get('filename')).toBe('second.json');
    expect(query.get('expires')).toBe('900');
  });

  it('gives them a page at a time, each once and in the order of the plan', async () => {
    const files = Array.from({ length: 2 * limits.deliverablePageFiles + 1 }, (_, place) => ({
      ...(deliverables[0] as { node: string; output: string }),
      filename: `${String(place)}.json`,
    }));
    const run = await DriveScenario.begin(composePlan([composeNode('a')], { deliverables: files }));
    await run.drive(1);
    await run.settle('a');
    await run.drive(2);
    const names: string[] = [];
    const sizes: number[] = [];
    for (let after: number | null = 0; after !== null;) {
      const page = await listDeliverables(run.ports, run.head, after);
      names.push(...page.deliverables.map(({ filename }) => filename));
      sizes.push(page.deliverables.length);
      after = page.next;
    }
    expect(names).toEqual(files.map(({ filename }) => filename));
    expect(sizes).toEqual([limits.deliverablePageFiles, limits.deliverablePageFiles, 1]);
  });

  it('p18 gives nothing of a node that failed', async () => {
    const run = await DriveScenario.begin(
      composePlan([composeNode('a')], { deliverables: [deliverables[0] as never] }),
    );
    await run.drive(1);
    await run.settle('a', { end: 'FAILED', reason: 'EXECUTOR_REPORTED' });
    await run.drive(2);
    expect((await listDeliverables(run.ports, run.head, 0)).deliverables).toEqual([]);
  });
});

const cancelled = {
  type: 'RUN_CANCEL_REQUESTED',
  at: '2026-01-05T09:00:00.000Z',
  by: 'role/operator',
  cause: '',
} as const;

/** Puts more entries behind the log, each with one event. */
function extend(run: DriveScenario, count: number, compose: () => RunEvent): void {
  for (let added = 0; added < count; added += 1) {
    const { head } = run;
    const body = {
      seq: head.seq + 1,
      commitId: `more-${String(head.seq)}`,
      events: [compose()],
      drained: [],
      prevHash: head.hash,
    };
    const entry = { ...body, hash: hashLogEntry(body) };
    run.ports.table.entries.set(runId, [...run.entries, entry]);
    run.ports.table.heads.set(runId, { ...head, seq: entry.seq, hash: entry.hash });
  }
}
