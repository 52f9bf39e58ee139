import { type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { WorkflowKind, WorkflowNames } from '../resource-names.ts';
import type { Stage } from '../stage-config.ts';
import { acknowledgeWildcard } from './wildcards.ts';

const wildcardReason =
  'Executions are named by runs and attempts; "*" only where the emulator knows no scope.';

/** Rights on workflows by their kind. */
export class WorkflowGrants {
  readonly names: WorkflowNames;
  private readonly stage: Stage;

  constructor(names: WorkflowNames, stage: Stage) {
    this.names = names;
    this.stage = stage;
  }

  grantStart(grantee: IGrantable, kinds: readonly WorkflowKind[]): void {
    this.grant(
      grantee,
      ['states:StartExecution'],
      kinds.map((kind) => this.names.arnOf(kind)),
    );
  }

  grantDescribe(grantee: IGrantable, kinds: readonly WorkflowKind[]): void {
    this.grant(
      grantee,
      ['states:DescribeExecution'],
      kinds.map((kind) => this.names.executionsOf(kind)),
    );
  }

  grantStop(grantee: IGrantable, kinds: readonly WorkflowKind[]): void {
    this.grant(
      grantee,
      ['states:StopExecution'],
      kinds.map((kind) => this.names.executionsOf(kind)),
    );
  }

  /** Who holds a task token decides the state that waits for it; the right is narrowed to one workflow. */
  grantAnswer(grantee: IGrantable, kinds: readonly WorkflowKind[]): void {
    this.grant(
      grantee,
      ['states:SendTaskSuccess', 'states:SendTaskFailure'],
      this.stage.knows('STATES_TOKEN_SCOPE') ? kinds.map((kind) => this.names.arnOf(kind)) : ['*'],
    );
  }

  private grant(grantee: IGrantable, actions: string[], resources: string[]): void {
    grantee.grantPrincipal.addToPrincipalPolicy(new PolicyStatement({ actions, resources }));
    const wide = resources.filter((resource) => resource.endsWith('*'));
    for (const resource of wide) acknowledgeWildcard(grantee, resource, wildcardReason);
  }
}
