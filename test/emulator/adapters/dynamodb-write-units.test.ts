import { beforeAll, describe, expect, it } from 'vitest';
import { countWriteUnits } from '../../../functions/adapters/count-write-units.ts';
import { addAmounts, noAmounts } from '../../../schemas/money.ts';
import type { RunEvent } from '../../../schemas/run-event.ts';
import { nameOutcomeMessage } from '../../../schemas/run-message.ts';
import type { PreparedAttempt } from '../../../functions/ports/attempt-register.ts';
import {
  describeAttempt,
  describeOutcome,
  describeSettlement,
} from '../../contract/attempt-examples.ts';
import {
  after,
  describeCommit,
  describeEntry,
  describeHead,
  describeStart,
  noon,
} from '../../contract/examples.ts';
import { createTable, createTablePorts } from './create-table.ts';

/** What the design allows a node to cost: on a chain of functions, and in a wide graph. */
const chainUnits = 14;
const wideUnits = 8;
const fargateUnits = 20;
/** A task token of Step Functions has about as many characters. */
const tokenCharacters = 800;

let table = '';
beforeAll(async () => {
  table = await createTable();
});

describe('what a node costs in write units', () => {
  it('is within the design for a chain of functions', async () => {
    const { units, run } = await play({ nodes: 1, ticks: 5 });
    console.log(JSON.stringify({ chain: units, of: run }));
    expect(units.total / 5).toBeLessThanOrEqual(chainUnits);
  });

  it('is within the design for a wide graph', async () => {
    const { units, run } = await play({ nodes: 40, ticks: 5 });
    console.log(JSON.stringify({ wide: units, of: run }));
    expect(units.total / 200).toBeLessThanOrEqual(wideUnits);
  });

  it('is bounded for an attempt on Fargate, heartbeats aside', async () => {
    const ports = createTablePorts(table);
    const attempt = describeAttempt({ kind: 'fargate', environment: 'documents-v1' });
    const { attemptId } = attempt;
    const outcome = describeOutcome(attempt);
    const digests = { bodySha256: attemptId, responseSha256: attemptId, recordSha256: attemptId };
    const units = countWriteUnits(ports.client);
    const steps: Record<string, number> = {};
    const step = async (name: string, work: () => Promise<unknown>) => {
      const before = units.total;
      await work();
      steps[name] = units.total - before;
    };
    const { attempts } = ports;
    await step('prepare', () => attempts.prepare([attempt]));
    await step('launch', () => attempts.launch(attempt, 'x'.repeat(tokenCharacters), noon));
    await step('recordTask', () => attempts.recordTask(attemptId, 'x'.repeat(100)));
    const claim = { nonceSha256: 'x'.repeat(64), at: noon, leaseUntil: after(60) };
    await step('claim', () => attempts.claim(attemptId, claim));
    await step('return', () => attempts.recordReturn(attemptId, { ...digests, at: noon }));
    const beforeBeat = units.total;
    await attempts.beat(attemptId, { at: noon, leaseUntil: after(60) });
    const beat = units.total - beforeBeat;
    await step('settle', () => attempts.settle(describeSettlement(attempt, outcome)));
    console.log(JSON.stringify({ fargate: steps, beat }));
    expect(units.total - beat).toBeLessThanOrEqual(fargateUnits);
    expect(beat).toBeLessThanOrEqual(2);
  });
});

/** Plays ticks of a run as `reduce-run` makes them: each takes what has ended and prepares as much again. */
async function play({ nodes, ticks }: { nodes: number; ticks: number }) {
  const ports = createTablePorts(table);
  const head = describeHead();
  await ports.runStarts.begin(describeStart(head));
  const units = countWriteUnits(ports.client);
  const steps: Record<string, number> = {};
  const step = async (name: string, work: () => Promise<unknown>) => {
    const before = units.total;
    await work();
    steps[name] = (steps[name] ?? 0) + units.total - before;
  };

  let running: PreparedAttempt[] = [];
  for (let tick = 1; tick <= ticks; tick += 1) {
    const next = Array.from({ length: nodes }, () => describeAttempt({ runId: head.runId }));
    const current = (await ports.runLog.readHead(head.runId)) ?? head;
    const entry = describeEntry(current, {
      events: [...running.flatMap(describeEnd), ...next.map(describePreparation)],
      drained: running.map(({ attemptId }) => nameOutcomeMessage(attemptId)),
    });
    const commit = describeCommit(current, { entry, call: tick, wakeAt: after(tick * 60) });
    await step('prepare', () => ports.attempts.prepare(next));
    await step('commit', () => ports.runLog.commit(commit));
    const drained = (await ports.inbox.read(head.runId, 90)).map(({ key }) => key);
    await step('remove', () => ports.inbox.remove(head.runId, drained));
    const park = { runId: head.runId, generation: 1, call: tick, seq: current.seq + 1 };
    await step('park', () => ports.park.store({ ...park, token: 'x'.repeat(tokenCharacters) }));
    await step('settle', () =>
      Promise.all(
        next.map((attempt) => {
          const outcome = describeOutcome(attempt);
          return ports.attempts.settle(describeSettlement(attempt, outcome));
        }),
      ),
    );
    running = next;
  }
  return { units, run: steps };
}

function describePreparation(attempt: PreparedAttempt): RunEvent {
  return {
    type: 'ATTEMPT_PREPARED',
    at: noon,
    attemptId: attempt.attemptId,
    actionId: attempt.request.action_id,
    nodeId: attempt.nodeId,
    attemptNumber: 1,
    executor: attempt.executor,
    executorVersion: '1.4.0',
    level: 1,
    kind: 'function',
    passedOver: [],
    requestSha256: attempt.requestSha256,
    commitment: { COMPUTE_COST: 2_000n, ATTEMPTS: 1n, WALL_SECONDS: 60n },
    hardDeadline: attempt.hardDeadline,
  };
}

function describeEnd(attempt: PreparedAttempt): RunEvent[] {
  const { attemptId, nodeId } = attempt;
  return [
    { type: 'ATTEMPT_DISPATCHED', at: noon, attemptId },
    {
      type: 'ATTEMPT_ENDED',
      at: noon,
      attemptId,
      outcome: describeOutcome(attempt),
      settlement: addAmounts(noAmounts, { COMPUTE_COST: 41n, ATTEMPTS: 1n, WALL_SECONDS: 1n }),
    },
    { type: 'NODE_ACCEPTED', at: noon, nodeId, attemptId },
  ];
}
