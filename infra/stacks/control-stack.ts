import { CfnOutput, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { ApiLogRole } from '../constructs/api-log-role.ts';
import { AttemptFunctions } from '../constructs/attempt-functions.ts';
import { BoardFunctions } from '../constructs/board-functions.ts';
import { describeParts } from '../constructs/controller-parts.ts';
import { CourierFunctions } from '../constructs/courier-functions.ts';
import { DeadEvents } from '../constructs/dead-events.ts';
import { EventRules } from '../constructs/event-rules.ts';
import { ExecutorApi } from '../constructs/executor-api.ts';
import { ExecutorCluster } from '../constructs/executor-cluster.ts';
import { IsolatedNetwork } from '../constructs/isolated-network.ts';
import { OperatorView } from '../constructs/operator-view.ts';
import { PublicApi } from '../constructs/public-api.ts';
import { RunFunctions } from '../constructs/run-functions.ts';
import { TaskFunctions } from '../constructs/task-functions.ts';
import { WorkflowGrants } from '../constructs/workflow-grants.ts';
import { Workflows } from '../constructs/workflows.ts';
import { WorkflowNames } from '../resource-names.ts';
import type { Stage } from '../stage-config.ts';
import type { StateStack } from './state-stack.ts';

/** Everything that can be thrown away and deployed again while runs go on. */
export class ControlStack extends Stack {
  constructor(scope: Construct, id: string, stage: Stage, state: StateStack, props?: StackProps) {
    super(scope, id, props);
    const names = new WorkflowNames(this, stage.prefix);
    const parts = describeParts(stage, state, new WorkflowGrants(names, stage));

    const taskLogs = new LogGroup(this, 'TaskLogs', {
      logGroupName: `/${stage.prefix}/tasks`,
      retention: RetentionDays.THREE_MONTHS,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const network = new IsolatedNetwork(this, 'Network', {
      stage,
      artifacts: state.artifacts.bucket,
      taskLogGroupArn: taskLogs.logGroupArn,
    });
    const logRole = new ApiLogRole(this, 'ApiLogRole');
    const executorApi = new ExecutorApi(this, 'ExecutorApi', {
      stage,
      functions: new CourierFunctions(this, 'CourierFunctions', parts),
      endpoint: network.executorApiEndpoint,
    });
    const cluster = new ExecutorCluster(this, 'Executors', {
      stage,
      network,
      executorApiUrl: executorApi.api.url,
      logGroup: taskLogs,
    });

    const attempt = new AttemptFunctions(this, 'AttemptFunctions', parts, cluster);
    const run = new RunFunctions(this, 'RunFunctions', parts, cluster);
    const deadEvents = new DeadEvents(this, 'DeadEvents');
    const board = new BoardFunctions(this, 'BoardFunctions', parts, deadEvents);
    const workflows = new Workflows(
      this,
      'Workflows',
      names,
      stage.knows('COMPUTED_TIMEOUTS') ? 'COMPUTED' : 'LONGEST',
      { run, attempt },
    );
    const publicApi = new PublicApi(this, 'PublicApi', stage.prefix, {
      board,
      task: new TaskFunctions(this, 'TaskFunctions', parts),
    });
    for (const { api } of [publicApi, executorApi])
      api.deploymentStage.node.addDependency(logRole.account);
    new EventRules(this, 'Events', {
      drops: state.drops.bucket,
      clusterArn: cluster.clusterArn,
      workflows,
      board,
      run,
      deadEvents: deadEvents.queue,
    });
    new OperatorView(this, 'OperatorView', stage.prefix, {
      run,
      attempt,
      workflows,
      deadEvents,
      publicApi,
      executorApi,
    });

    this.addOutputs({
      ApiUrl: publicApi.api.url,
      ExecutorApiUrl: executorApi.api.url,
      ...describeWorkflows(workflows),
      ClusterArn: cluster.clusterArn,
      TableName: state.table.tableName,
      ArtifactBucket: state.artifacts.bucket.bucketName,
      DropBucket: state.drops.bucket.bucketName,
      DeadEventsQueueUrl: deadEvents.queue.queueUrl,
    });
  }

  private addOutputs(outputs: Record<string, string>): void {
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }
}

function describeWorkflows({ machines }: Workflows): Record<string, string> {
  return {
    RunWorkflowArn: machines.run.stateMachineArn,
    FunctionWorkflowArn: machines['attempt-function'].stateMachineArn,
    GroupWorkflowArn: machines['attempt-group'].stateMachineArn,
    FargateWorkflowArn: machines['attempt-fargate'].stateMachineArn,
    CloseWorkflowArn: machines['attempt-close'].stateMachineArn,
  };
}
