import { beforeAll } from 'vitest';
import { describeAttachmentsContract } from '../../contract/attachments.contract.ts';
import { describeAttemptRegisterContract } from '../../contract/attempt-register.contract.ts';
import { describeBoardsContract } from '../../contract/boards.contract.ts';
import { describeInboxContract } from '../../contract/inbox.contract.ts';
import { describeParkContract } from '../../contract/park.contract.ts';
import { describeRunIndexContract } from '../../contract/run-index.contract.ts';
import { describeRunLogContract } from '../../contract/run-log.contract.ts';
import { describeRunStartsContract } from '../../contract/run-starts.contract.ts';
import { describeStopOrdersContract } from '../../contract/stop-orders.contract.ts';
import { describeTasksContract } from '../../contract/tasks.contract.ts';
import { createTable, createTablePorts } from './create-table.ts';

let table = '';
beforeAll(async () => {
  table = await createTable();
});

const name = 'DynamoDB';
const createAll = () => Promise.resolve(createTablePorts(table));

describeRunLogContract(name, createAll);
describeParkContract(name, createAll);
describeInboxContract(name, () => Promise.resolve(createTablePorts(table).inbox));
describeRunStartsContract(name, createAll);
describeRunIndexContract(name, createAll);
describeAttemptRegisterContract(name, createAll);
describeBoardsContract(name, () => Promise.resolve(createTablePorts(table).boards));
describeStopOrdersContract(name, () => Promise.resolve(createTablePorts(table).stopOrders));
describeTasksContract(name, () => Promise.resolve(createTablePorts(table).tasks));
describeAttachmentsContract(name, createAll);
