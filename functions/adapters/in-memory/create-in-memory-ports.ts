import { InMemoryArtifactStore } from './in-memory-artifact-store.ts';
import { InMemoryAttachments } from './in-memory-attachments.ts';
import { InMemoryAttemptCredentials } from './in-memory-attempt-credentials.ts';
import { InMemoryAttemptRegister } from './in-memory-attempt-register.ts';
import { InMemoryBoards } from './in-memory-boards.ts';
import { InMemoryClock } from './in-memory-clock.ts';
import { InMemoryDocumentStore } from './in-memory-document-store.ts';
import { InMemoryFargateTasks } from './in-memory-fargate-tasks.ts';
import { InMemoryIdSource } from './in-memory-id-source.ts';
import { InMemoryInbox } from './in-memory-inbox.ts';
import { InMemoryPark } from './in-memory-park.ts';
import { InMemoryPlanDrops } from './in-memory-plan-drops.ts';
import { InMemoryRunIndex } from './in-memory-run-index.ts';
import { InMemoryRunLog } from './in-memory-run-log.ts';
import { InMemoryRunStarts } from './in-memory-run-starts.ts';
import { InMemorySchemaValidator } from './in-memory-schema-validator.ts';
import { InMemoryStopOrders } from './in-memory-stop-orders.ts';
import { InMemoryTable } from './in-memory-table.ts';
import { InMemoryTasks } from './in-memory-tasks.ts';
import { InMemoryTokenKeys } from './in-memory-token-keys.ts';
import { InMemoryWorkflowEngine } from './in-memory-workflow-engine.ts';

/** One control plane in memory: every port, over one table, with a clock that stands still. */
export function createInMemoryPorts() {
  const table = new InMemoryTable();
  const clock = new InMemoryClock();
  return {
    table,
    clock,
    ids: new InMemoryIdSource(),
    runLog: new InMemoryRunLog(table),
    runStarts: new InMemoryRunStarts(table),
    runIndex: new InMemoryRunIndex(table),
    inbox: new InMemoryInbox(table),
    park: new InMemoryPark(table),
    attempts: new InMemoryAttemptRegister(table),
    artifacts: new InMemoryArtifactStore(table),
    documents: new InMemoryDocumentStore(table),
    boards: new InMemoryBoards(table),
    tasks: new InMemoryTasks(table),
    attachments: new InMemoryAttachments(table),
    stopOrders: new InMemoryStopOrders(table),
    planDrops: new InMemoryPlanDrops(table),
    fargate: new InMemoryFargateTasks(table),
    workflows: new InMemoryWorkflowEngine(table, clock),
    credentials: new InMemoryAttemptCredentials(clock),
    tokenKeys: new InMemoryTokenKeys(),
    schemas: new InMemorySchemaValidator(),
  };
}
