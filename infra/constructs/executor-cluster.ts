import { Stack, Validations } from 'aws-cdk-lib';
import { Cluster, ContainerInsights } from 'aws-cdk-lib/aws-ecs';
import { type IGrantable, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Stage } from '../stage-config.ts';
import { imagePullActions, nameRepositories } from './endpoint-policies.ts';
import type { IsolatedNetwork } from './isolated-network.ts';
import { createTaskDefinition } from './task-definition.ts';
import { acknowledgeWildcard } from './wildcards.ts';

const taskReason = 'ECS names tasks; the ARN leaves those of this cluster.';

export interface ExecutorClusterProps {
  stage: Stage;
  network: IsolatedNetwork;
  executorApiUrl: string;
  logGroup: LogGroup;
}

/** Where Fargate tasks run: the cluster, one task definition an environment version, and the rights on both. */
export class ExecutorCluster extends Construct {
  readonly clusterArn: string;
  private readonly stage: Stage;
  private readonly network: IsolatedNetwork;
  private readonly executionRole: Role;
  private readonly taskDefinitionArns: Record<string, string>;
  private readonly taskArns: string;

  constructor(scope: Construct, id: string, props: ExecutorClusterProps) {
    super(scope, id);
    this.stage = props.stage;
    this.network = props.network;
    const clusterName = `${props.stage.prefix}-executors`;
    const cluster = new Cluster(this, 'Cluster', {
      clusterName,
      vpc: props.network.vpc,
      containerInsightsV2: ContainerInsights.ENABLED,
    });
    const { partition, region, account } = Stack.of(this);
    this.clusterArn = cluster.clusterArn;
    this.taskArns = `arn:${partition}:ecs:${region}:${account}:task/${clusterName}/*`;
    this.executionRole = this.createExecutionRole(props.logGroup);
    this.taskDefinitionArns = Object.fromEntries(
      props.stage.environments.map((environment) => {
        const definition = createTaskDefinition(this, `Task-${environment.name}`, {
          stage: props.stage,
          environment,
          executorApiUrl: props.executorApiUrl,
          executionRoleArn: this.executionRole.roleArn,
          logGroupName: props.logGroup.logGroupName,
        });
        Validations.of(definition).acknowledge({
          id: 'AwsSolutions-ECS2',
          reason: 'The variables are an address and folders; secrets are claimed, never set here.',
        });
        return [environment.name, definition.ref];
      }),
    );
  }

  get launchVariables() {
    const stack = Stack.of(this);
    return {
      ...this.stopVariables,
      WINDLASS_TASK_DEFINITIONS: stack.toJsonString(this.taskDefinitionArns),
      WINDLASS_SUBNETS: stack.toJsonString(this.network.subnetIds),
      WINDLASS_SECURITY_GROUPS: stack.toJsonString([this.network.taskSecurityGroup.attrGroupId]),
    };
  }

  get stopVariables() {
    return { WINDLASS_CLUSTER_ARN: this.clusterArn };
  }

  /** Starts tasks of exactly these definitions in this cluster, and passes on nothing but the role that pulls images. */
  grantLaunch(grantee: IGrantable): void {
    const definitions = Object.values(this.taskDefinitionArns);
    if (definitions.length === 0) return;
    this.grant(grantee, 'RunTask', definitions);
    grantee.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({
        actions: ['ecs:TagResource'],
        resources: [this.taskArns],
        conditions: { StringEquals: { 'ecs:CreateAction': 'RunTask' } },
      }),
    );
    acknowledgeWildcard(grantee, this.taskArns, taskReason);
    grantee.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({
        actions: ['iam:PassRole'],
        resources: [this.executionRole.roleArn],
        conditions: { StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' } },
      }),
    );
  }

  grantStop(grantee: IGrantable): void {
    this.grant(grantee, 'StopTask', [this.taskArns]);
    acknowledgeWildcard(grantee, this.taskArns, taskReason);
  }

  /** `ListTasks` knows no resource but `*`; the condition is what narrows it. */
  grantFind(grantee: IGrantable): void {
    this.grant(grantee, 'DescribeTasks', [this.taskArns]);
    acknowledgeWildcard(grantee, this.taskArns, taskReason);
    this.grant(grantee, 'ListTasks', ['*']);
    acknowledgeWildcard(
      grantee,
      '*',
      'Listing knows no resource; the condition names the cluster.',
    );
  }

  private grant(grantee: IGrantable, action: string, resources: string[]): void {
    const cluster = this.stage.knows('ECS_TASK_SCOPE') ? [] : [this.clusterArn];
    grantee.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({
        actions: [`ecs:${action}`],
        resources: [...resources, ...cluster],
        ...(this.stage.knows('ECS_CLUSTER_CONDITION')
          ? { conditions: { ArnEquals: { 'ecs:cluster': this.clusterArn } } }
          : {}),
      }),
    );
  }

  /** Of the ECS agent, before and beside the containers; they cannot reach it. */
  private createExecutionRole(logGroup: LogGroup): Role {
    const role = new Role(this, 'ExecutionRole', {
      assumedBy: new ServicePrincipal('ecs-tasks.amazonaws.com'),
      description: 'Pulls images and writes logs of Fargate tasks; no container has it',
    });
    logGroup.grantWrite(role);
    const pull = { actions: imagePullActions, resources: [nameRepositories(this)] };
    role.addToPrincipalPolicy(new PolicyStatement(pull));
    role.addToPrincipalPolicy(
      new PolicyStatement({ actions: ['ecr:GetAuthorizationToken'], resources: ['*'] }),
    );
    acknowledgeWildcard(role, '*', 'The login to the registry knows no resource.');
    const reason = 'Images lie in the repositories that the stage configuration names.';
    acknowledgeWildcard(role, nameRepositories(this), reason);
    return role;
  }
}
