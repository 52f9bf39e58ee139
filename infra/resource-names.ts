import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** Kinds of workflow; the name of each in the console is `<prefix>-<kind>`. */
export const workflowKinds = [
  'run',
  'attempt-function',
  'attempt-fargate',
  'attempt-group',
  'attempt-close',
] as const;
export type WorkflowKind = (typeof workflowKinds)[number];

/**
 * ARNs of workflows from their fixed names: functions start workflows that call functions, and
 * CloudFormation takes no circle of references.
 */
export class WorkflowNames {
  private readonly scope: Construct;
  private readonly prefix: string;

  constructor(scope: Construct, prefix: string) {
    this.scope = scope;
    this.prefix = prefix;
  }

  nameOf(kind: WorkflowKind): string {
    return `${this.prefix}-${kind}`;
  }

  arnOf(kind: WorkflowKind): string {
    return this.formatArn('stateMachine', this.nameOf(kind));
  }

  /** Every execution of this kind, for a policy. */
  executionsOf(kind: WorkflowKind): string {
    return this.formatArn('execution', `${this.nameOf(kind)}:*`);
  }

  private formatArn(resource: string, name: string): string {
    const { partition, region, account } = Stack.of(this.scope);
    return `arn:${partition}:states:${region}:${account}:${resource}:${name}`;
  }
}
