import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ECSClient } from '@aws-sdk/client-ecs';
import { IAMClient } from '@aws-sdk/client-iam';
import { KMSClient } from '@aws-sdk/client-kms';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { SFNClient } from '@aws-sdk/client-sfn';
import { SQSClient } from '@aws-sdk/client-sqs';
import { STSClient } from '@aws-sdk/client-sts';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { inject } from 'vitest';
import { createDynamodbAttemptRegister } from '../../../functions/adapters/dynamodb-attempt-register.ts';
import { createDynamodbRunIndex } from '../../../functions/adapters/dynamodb-run-index.ts';
import { createDynamodbRunLog } from '../../../functions/adapters/dynamodb-run-log.ts';
import { createS3DocumentStore } from '../../../functions/adapters/s3-document-store.ts';
import type { AttemptRegister } from '../../../functions/ports/attempt-register.ts';
import type { DocumentStore } from '../../../functions/ports/artifact-store.ts';
import type { RunIndex } from '../../../functions/ports/run-index.ts';
import type { RunLog } from '../../../functions/ports/run-log.ts';
import type { StackState } from '../../local/stack-state.ts';
import {
  connectToEmulator,
  type EmulatorClientConfig,
  type EmulatorCredentials,
} from '../use-emulator.ts';
import '../stack-global-setup.ts';

export interface E2eStack {
  state: StackState;
  /** Of both CloudFormation stacks. */
  outputs: {
    ApiUrl: string;
    ExecutorApiUrl: string;
    TableName: string;
    ArtifactBucket: string;
    DropBucket: string;
    DeadEventsQueueUrl: string;
    ClusterArn: string;
    RunWorkflowArn: string;
    FunctionWorkflowArn: string;
    FargateWorkflowArn: string;
    GroupWorkflowArn: string;
    CloseWorkflowArn: string;
  };
  root: EmulatorCredentials;
  configureAs: (credentials: EmulatorCredentials) => EmulatorClientConfig;
  /** All as root of the emulated account. */
  aws: {
    table: DynamoDBDocumentClient;
    s3: S3Client;
    sfn: SFNClient;
    ecs: ECSClient;
    iam: IAMClient;
    sts: STSClient;
    kms: KMSClient;
    lambda: LambdaClient;
    logs: CloudWatchLogsClient;
    sqs: SQSClient;
  };
  /** The product's own reading of its table, as root. */
  stores: {
    runLog: RunLog;
    runIndex: RunIndex;
    attempts: AttemptRegister;
    documents: DocumentStore;
  };
}

const tries = 4;

/** The stack that the global setup deployed for this run. */
export function useStack(): E2eStack {
  const state = inject('stack');
  const { clientConfig, configureAs } = connectToEmulator(state);
  const config = { ...clientConfig, maxAttempts: tries };
  const outputs = Object.assign({}, ...Object.values(state.outputs ?? {})) as E2eStack['outputs'];
  const aws: E2eStack['aws'] = {
    table: DynamoDBDocumentClient.from(new DynamoDBClient(config)),
    s3: new S3Client(config),
    sfn: new SFNClient(config),
    ecs: new ECSClient(config),
    iam: new IAMClient(config),
    sts: new STSClient(config),
    kms: new KMSClient(config),
    lambda: new LambdaClient(config),
    logs: new CloudWatchLogsClient(config),
    sqs: new SQSClient(config),
  };
  const table = { client: aws.table, table: outputs.TableName };
  const documents = createS3DocumentStore({ client: aws.s3, bucket: outputs.ArtifactBucket });
  const stores = {
    runLog: createDynamodbRunLog({ ...table, documents }),
    runIndex: createDynamodbRunIndex(table),
    attempts: createDynamodbAttemptRegister(table),
    documents,
  };
  return { state, outputs, root: clientConfig.credentials, configureAs, aws, stores };
}
