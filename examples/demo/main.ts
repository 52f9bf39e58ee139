import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { Listr, type ListrTaskWrapper, type DefaultRenderer, type SimpleRenderer } from 'listr2';
import { signalExitCodes } from '../../cli/exit-codes.ts';
import { callWindlass, followWindlass, repositoryRoot } from './call-windlass.ts';
import { dropPlan } from './drop-plan.ts';
import { renderNodeTable, type NodeRow } from './render-node-table.ts';
import { readFlags } from './read-flags.ts';

/**
 * The main job end to end on the local stack: six documents in, a digest out, once through the REST API and once by
 * dropping the plan into S3. Ends with 0 only when both runs succeeded and every delivered byte was verified.
 *
 * usage: npm run demo [-- --keep]   --keep leaves the stack up
 */
const { keep } = readFlags(process.argv.slice(2));
const stack = 'demo';
const board = 'harbour';
const planFile = join(repositoryRoot, 'examples/document-digest/plan.yaml');
const documents = join(repositoryRoot, 'examples/document-digest/documents');
/** Of the demo alone: what else is in out/ is the user's. */
const out = join(repositoryRoot, 'out', 'demo');

interface RunDetail {
  run_id: string;
  status: string;
  detail: string;
  budget: { spent: { COMPUTE_COST: string } };
  nodes: NodeRow[];
}
interface Downloaded {
  deliverables: { path: string; sha256: string; size: number }[];
}
interface Journey {
  door: string;
  runId: string;
  detail?: RunDetail;
  files?: Downloaded['deliverables'];
}
type Task = ListrTaskWrapper<unknown, typeof DefaultRenderer, typeof SimpleRenderer>;

const journeys: Journey[] = [];
const at = ['--stack', stack] as const;
const startedAt = Date.now();

async function startStack(task: Task): Promise<void> {
  await followWindlass(['local', 'up', '--name', stack], (line) => {
    if (typeof line['step'] === 'string' && line['status'] === 'started')
      task.output = line['step'];
  });
}

async function listDocuments(): Promise<string[]> {
  return (await readdir(documents)).sort().map((name) => join(documents, name));
}

async function startByApi(): Promise<void> {
  const started = await callWindlass<{ run_id: string }>(
    ...['run', 'start', planFile, '--board', board, ...at],
    ...(await listDocuments()).flatMap((file) => ['--input', `documents=${file}`]),
  );
  journeys.push({ door: 'REST API', runId: started.run_id });
}

async function startByDrop(): Promise<void> {
  const { environment: env } = await callWindlass<{ environment: Record<string, string> }>(
    ...['local', 'env', '--name', stack],
  );
  const runId = await dropPlan({
    env,
    bucket: env['WINDLASS_DROP_BUCKET'] ?? '',
    artifactBucket: env['WINDLASS_ARTIFACT_BUCKET'] ?? '',
    board,
    planFile,
    files: { documents: await listDocuments() },
  });
  journeys.push({ door: 'S3 inbox', runId });
}

async function watch(journey: Journey, task: Task): Promise<void> {
  let accepted = 0;
  await followWindlass(['run', 'watch', journey.runId, '--board', board, ...at], (line) => {
    const { event } = line as { event?: { type?: string; nodeId?: string } };
    if (event?.type !== 'NODE_ACCEPTED') return;
    accepted += 1;
    task.output = `${String(accepted)} accepted, the last one ${event.nodeId ?? ''}`;
  });
  journey.detail = await callWindlass<RunDetail>(
    'run',
    'status',
    journey.runId,
    '--board',
    board,
    ...at,
  );
  const doubtful = journey.detail.nodes.filter((node) => node.state !== 'ACCEPTED');
  if (journey.detail.status !== 'SUCCEEDED' || doubtful.length > 0) {
    throw new Error(
      `${journey.runId} is ${journey.detail.status}: ${doubtful.map((node) => node.id).join(', ')} ${journey.detail.detail}`,
    );
  }
}

async function download(journey: Journey): Promise<void> {
  const to = join(out, journey.runId);
  const answer = await callWindlass<Downloaded>(
    'run',
    'download',
    journey.runId,
    '--to',
    to,
    '--board',
    board,
    ...at,
  );
  if (answer.deliverables.length === 0) throw new Error(`${journey.runId} delivered nothing`);
  for (const file of answer.deliverables) {
    const bytes = await readFile(file.path);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    if (sha256 !== file.sha256 || bytes.length !== file.size)
      throw new Error(`${file.path} is not what was accepted`);
  }
  journey.files = answer.deliverables;
}

/** Equal documents and an equal plan give equal bytes, whichever door they came in by. */
function compare(): void {
  const [first, second] = journeys.map((journey) =>
    (journey.files ?? [])
      .map((file) => file.sha256)
      .sort()
      .join(),
  );
  if (first !== second) throw new Error('the two runs delivered different bytes');
}

const steps = new Listr(
  [
    {
      title: 'Start the local stack (both CloudFormation stacks, IAM enforced)',
      task: (_, task) => startStack(task),
    },
    {
      title: `Create board ${board}`,
      task: async () => {
        await callWindlass('board', 'create', board, ...at);
      },
    },
    { title: 'Start a run through the REST API', task: startByApi },
    { title: 'Start a run by dropping the plan into S3', task: startByDrop },
    {
      title: 'Run: extract each → index → merge → render → check',
      task: (_, task) =>
        task.newListr(
          journeys.map((journey) => ({
            title: `${journey.door}: ${journey.runId}`,
            task: (__: unknown, inner: Task) => watch(journey, inner),
          })),
          { concurrent: true },
        ),
    },
    {
      title: 'Fetch the deliverables and verify every byte',
      task: async () => {
        await Promise.all(journeys.map(download));
      },
    },
    { title: 'Compare the two runs', task: compare },
  ],
  {
    fallbackRenderer: 'simple',
    rendererOptions: { collapseSubtasks: false },
    // An interrupted demo takes its stack down first.
    registerSignalListeners: false,
  },
);

const interruption = { isTold: false };
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // A terminal tells the whole group, and npm tells it again.
    if (interruption.isTold) return;
    interruption.isTold = true;
    process.stderr.write('\nInterrupted: taking the stack of the demo down …\n');
    void takeDown().finally(() => process.exit(signalExitCodes[signal]));
  });
}

try {
  await rm(out, { recursive: true, force: true });
  await steps.run();
  report();
} catch {
  // The step that failed has said why.
  if (!interruption.isTold)
    process.stderr.write('\nThe demo did not end well: see the step that failed above.\n');
  process.exitCode = 1;
} finally {
  if (!keep && !interruption.isTold) await takeDown();
}

async function takeDown(): Promise<void> {
  const down = ['local', 'down', '--name', stack];
  await callWindlass(...down).catch(() => {
    process.stderr.write(`The stack may still be up: npx windlass ${down.join(' ')}\n`);
  });
}

function report(): void {
  const write = (text: string) => process.stdout.write(`${text}\n`);
  for (const journey of journeys) {
    write(`\n${journey.door}  ${journey.runId}`);
    write(renderNodeTable(journey.detail?.nodes ?? []));
    for (const file of journey.files ?? []) {
      write(
        `  ${file.sha256.slice(0, 16)}…  ${String(file.size).padStart(7)} bytes  ${relative(process.cwd(), file.path)}`,
      );
    }
  }
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  write(
    `\nBoth runs delivered the same bytes, every one verified by its SHA-256. ${seconds} s in all.`,
  );
  write('\nWhere to look next');
  if (keep) {
    write(
      `  npx windlass run events ${journeys[0]?.runId ?? ''} --board ${board} --stack ${stack}`,
    );
    write(
      `  npx windlass run explain ${journeys[0]?.runId ?? ''} index --board ${board} --stack ${stack}`,
    );
    write(
      `  eval "$(npx windlass local env --name ${stack})"   # then any AWS tool talks to the stack`,
    );
    write(`  npx windlass local down --name ${stack}`);
  } else {
    write('  npm run demo -- --keep            leaves the stack up, to look around in');
  }
  write(
    `  ${relative(process.cwd(), join(out, journeys[0]?.runId ?? '', 'digest.html'))}   the digest, for a browser`,
  );
  write('  examples/document-digest/plan.yaml   the plan that ran');
  write('  docs/guide.md                        how to write your own');
}
