import { createInMemoryPorts } from '../../../functions/adapters/in-memory/create-in-memory-ports.ts';
import { RetryableError } from '../../../functions/ports/errors.ts';
import {
  describeArtifactStoreContract,
  describeDocumentStoreContract,
} from '../../contract/artifact-store.contract.ts';
import { describeAttachmentsContract } from '../../contract/attachments.contract.ts';
import { describeAttemptRegisterContract } from '../../contract/attempt-register.contract.ts';
import { describeBoardsContract } from '../../contract/boards.contract.ts';
import { describeFargateTasksContract } from '../../contract/fargate-tasks.contract.ts';
import { describeInboxContract } from '../../contract/inbox.contract.ts';
import { describeParkContract } from '../../contract/park.contract.ts';
import { describePlanDropsContract } from '../../contract/plan-drops.contract.ts';
import { describeRunIndexContract } from '../../contract/run-index.contract.ts';
import { describeRunLogContract } from '../../contract/run-log.contract.ts';
import { describeRunStartsContract } from '../../contract/run-starts.contract.ts';
import { describeSchemaValidatorContract } from '../../contract/schema-validator.contract.ts';
import { describeStopOrdersContract } from '../../contract/stop-orders.contract.ts';
import { describeTasksContract } from '../../contract/tasks.contract.ts';
import { describeTokenKeysContract } from '../../contract/token-keys.contract.ts';
import { describeWorkflowEngineContract } from '../../contract/workflow-engine.contract.ts';

const fake = 'the fake';

function create() {
  const ports = createInMemoryPorts();
  let drops = 0;
  let tokens = 0;
  return {
    ...ports,
    loseNextAnswer() {
      ports.table.interruption = (operation, moment) => {
        if (moment !== 'after' || !/commit|begin|settle|register/.test(operation)) return;
        ports.table.interruption = undefined;
        throw new RetryableError('the answer was lost');
      };
    },
    drop(key: string, text: string) {
      drops += 1;
      ports.planDrops.drops.set(`${key}@v${String(drops)}`, text);
      return Promise.resolve(`v${String(drops)}`);
    },
    readAnswer: (key: string, versionId: string) =>
      Promise.resolve(ports.planDrops.answers.get(`${key}@${versionId}`)),
    waitForToken() {
      tokens += 1;
      return Promise.resolve(`token-${String(tokens)}`);
    },
  };
}

const createAll = () => Promise.resolve(create());

describeRunLogContract(fake, createAll);
describeParkContract(fake, createAll);
describeInboxContract(fake, () => Promise.resolve(create().inbox));
describeRunStartsContract(fake, createAll);
describeRunIndexContract(fake, createAll);
describeAttemptRegisterContract(fake, createAll);
describeBoardsContract(fake, () => Promise.resolve(create().boards));
describeStopOrdersContract(fake, () => Promise.resolve(create().stopOrders));
describeTasksContract(fake, () => Promise.resolve(create().tasks));
describeAttachmentsContract(fake, createAll);
describeArtifactStoreContract(fake, () => Promise.resolve(create().artifacts));
describeDocumentStoreContract(fake, () => Promise.resolve(create().documents));
describePlanDropsContract(fake, createAll);
describeFargateTasksContract(fake, () => {
  const tasks = create().fargate;
  tasks.stopsAtOnce = false;
  return Promise.resolve({
    tasks,
    confirmEnd(taskArn) {
      tasks.end(taskArn);
      return Promise.resolve();
    },
  });
});
describeWorkflowEngineContract(fake, createAll);
describeTokenKeysContract(fake, () => Promise.resolve(create().tokenKeys));
describeSchemaValidatorContract(fake, () => create().schemas);
