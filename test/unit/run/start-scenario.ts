import { createHash } from 'node:crypto';
import { createInMemoryPorts } from '../../../functions/adapters/in-memory/create-in-memory-ports.ts';
import { startRun } from '../../../functions/use-cases/run/start-run.ts';
import { composeDocument, composeNode, pinned } from '../domain/plan/compose-submission.ts';

export const board = 'harbour';
export const caller = 'arn:aws:iam::000000000000:role/team';

/** A control plane in memory with one board, and a plan that is admitted. */
export async function createStartScenario() {
  const ports = createInMemoryPorts();
  await ports.boards.create(board, caller);
  const checks = { checkParams: () => [], findSchemaFault: () => undefined };
  const dependencies = { ...ports, ...pinned, ...checks, drops: ports.planDrops };
  const upload = (name: string, text = 'words', owner = board) => {
    const bytes = Buffer.from(text);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const key = `uploads/${owner}/sha256/${sha256}/${name}`;
    return { key, versionId: ports.artifacts.place(key, bytes, 'text/plain').versionId };
  };
  return { ports, dependencies, upload };
}
export type StartScenario = Awaited<ReturnType<typeof createStartScenario>>;

export const goodPlan = composeDocument([composeNode('a'), composeNode('b', { after: ['a'] })]);

export function start(
  scenario: StartScenario,
  changes: Partial<Parameters<typeof startRun>[1]> = {},
) {
  const body = { plan: goodPlan };
  return startRun(scenario.dependencies, {
    board,
    caller,
    idempotencyKey: 'key',
    body,
    ...changes,
  });
}

/** Everything that a start could have left behind. */
export function listTraces({ ports }: StartScenario) {
  const { table, documents, workflows } = ports;
  return {
    starts: table.starts.size,
    heads: table.heads.size,
    messages: table.messages.size,
    documents: documents.documents.size,
    executions: workflows.executions.size,
  };
}
export const noTraces = { starts: 0, heads: 0, messages: 0, documents: 0, executions: 0 };
