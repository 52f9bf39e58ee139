import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  CloudWatchLogsClient,
  paginateDescribeLogGroups,
  paginateFilterLogEvents,
} from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import {
  paginateGetExecutionHistory,
  paginateListExecutions,
  SFNClient,
} from '@aws-sdk/client-sfn';
import { benchBoard, type BenchStack } from './open-bench-stack.ts';

interface RunAnswer {
  run_id: string;
  status: string;
  started_at: string;
  ended_at: string;
  node_counts: Record<string, number>;
}

export interface RunFigures {
  nodes: number;
  wallSeconds: number;
  millisecondsANode: number;
  transitionsANode: number;
  writeUnitsANode: number;
  driveCalls: number;
}

/** Starts a plan, waits for its end, and counts what it took: histories and log lines of this run alone. */
export async function measureRun(
  bench: BenchStack,
  plan: unknown,
  nodes: number,
): Promise<RunFigures> {
  const folder = mkdtempSync(path.join(tmpdir(), 'windlass-bench-'));
  const file = path.join(folder, 'plan.json');
  writeFileSync(file, JSON.stringify(plan));
  const since = Date.now();
  const started = bench.windlass('run', 'start', file, '--board', benchBoard) as { run_id: string };
  rmSync(folder, { recursive: true });
  const run = await waitForEnd(bench, started.run_id);
  if (run.status !== 'SUCCEEDED')
    throw new Error(`${run.run_id} is ${run.status}: ${JSON.stringify(run.node_counts)}`);
  const wallSeconds = (Date.parse(run.ended_at) - Date.parse(run.started_at)) / 1000;
  const transitions = await countTransitions(bench, run.run_id, since);
  const { writeUnits, commits } = await sumLogs(bench, since);
  return {
    nodes,
    wallSeconds,
    millisecondsANode: round((wallSeconds * 1000) / nodes),
    transitionsANode: round(transitions / nodes),
    writeUnitsANode: round(writeUnits / nodes),
    driveCalls: commits,
  };
}

/** Looks at one item of the table: a command for each look would compete with the run for the processors. */
async function waitForEnd(bench: BenchStack, runId: string): Promise<RunAnswer> {
  const client = new DynamoDBClient(bench.connection.clientConfig);
  const head = new GetItemCommand({
    TableName: bench.stack.outputs?.['windlass-control']?.['TableName'],
    Key: { pk: { S: `RUN#${runId}` }, sk: { S: 'HEAD' } },
    ProjectionExpression: 'endedAt',
  });
  for (;;) {
    const { Item } = await client.send(head);
    if (Item?.['endedAt']?.S !== undefined) {
      return bench.windlass('run', 'status', runId, '--board', benchBoard) as RunAnswer;
    }
    await pause(100);
  }
}

/** A transition is a state entered: of the run's own workflow and of every attempt's. */
async function countTransitions(bench: BenchStack, runId: string, since: number): Promise<number> {
  const client = new SFNClient(bench.connection.clientConfig);
  const outputs = bench.stack.outputs?.['windlass-control'] ?? {};
  let transitions = 0;
  for (const name of [
    'RunWorkflowArn',
    'FunctionWorkflowArn',
    'FargateWorkflowArn',
    'GroupWorkflowArn',
    'CloseWorkflowArn',
  ]) {
    const pages = paginateListExecutions({ client }, { stateMachineArn: outputs[name] });
    for await (const page of pages) {
      for (const execution of page.executions ?? []) {
        if ((execution.startDate?.getTime() ?? 0) < since - 1000) continue;
        if (name === 'RunWorkflowArn' && !(execution.name ?? '').startsWith(runId)) continue;
        for await (const history of paginateGetExecutionHistory(
          { client },
          { executionArn: execution.executionArn },
        )) {
          transitions += (history.events ?? []).filter((event) =>
            event.type?.endsWith('StateEntered'),
          ).length;
        }
      }
    }
  }
  return transitions;
}

/** Every handler logs the write units of each call. */
async function sumLogs(
  bench: BenchStack,
  since: number,
): Promise<{ writeUnits: number; commits: number }> {
  const client = new CloudWatchLogsClient(bench.connection.clientConfig);
  const sums = { writeUnits: 0, commits: 0 };
  for await (const groups of paginateDescribeLogGroups(
    { client },
    { logGroupNamePrefix: '/aws/lambda/' },
  )) {
    for (const { logGroupName } of groups.logGroups ?? []) {
      const units = await readUnits(client, logGroupName ?? '', since);
      sums.writeUnits += units.reduce((sum, one) => sum + one, 0);
      if (logGroupName?.endsWith('reduce-run') === true) sums.commits += units.length;
    }
  }
  return sums;
}

async function readUnits(
  client: CloudWatchLogsClient,
  logGroupName: string,
  since: number,
): Promise<number[]> {
  const units: number[] = [];
  for await (const page of paginateFilterLogEvents(
    { client },
    { logGroupName, startTime: since },
  )) {
    for (const { message = '' } of page.events ?? []) {
      const found = /"writeUnits":([0-9.]+)/.exec(message);
      if (found !== null) units.push(Number(found[1]));
    }
  }
  return units;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
