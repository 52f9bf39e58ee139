import path from 'node:path';
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { type IPrincipal, type IGrantable, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  type IDestination,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { FunctionName } from '../../build/function-names.ts';
import type { Stage } from '../stage-config.ts';

export interface ControllerFunctionProps {
  stage: Stage;
  name: FunctionName;
  /** A sentence for the console. */
  description: string;
  memoryMegabytes: number;
  timeoutSeconds: number;
  environment: Record<string, string>;
  /** Takes each event on which an asynchronous call threw three times. */
  onFailure?: IDestination;
}

/** One Lambda of the controller: its own role that can write its own log group, and what others grant it. */
export class ControllerFunction extends Construct implements IGrantable {
  readonly function: LambdaFunction;
  readonly role: Role;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, props: ControllerFunctionProps) {
    super(scope, id);
    const { stage, name } = props;
    const functionName = `${stage.prefix}-${name}`;
    this.logGroup = new LogGroup(this, 'Logs', {
      logGroupName: `/aws/lambda/${functionName}`,
      retention: RetentionDays.THREE_MONTHS,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description: `Of the function ${functionName}, and of nothing else`,
    });
    this.logGroup.grantWrite(this.role);
    this.function = new LambdaFunction(this, 'Function', {
      functionName,
      description: props.description,
      code: Code.fromAsset(path.join(stage.functionBundles, name)),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memoryMegabytes,
      timeout: Duration.seconds(props.timeoutSeconds),
      environment: props.environment,
      logGroup: this.logGroup,
      role: this.role,
      ...(props.onFailure !== undefined && { onFailure: props.onFailure }),
    });
  }

  get grantPrincipal(): IPrincipal {
    return this.role;
  }
}
