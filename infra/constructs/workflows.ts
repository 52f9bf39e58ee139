import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { DefinitionBody, LogLevel, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { WorkflowKind, WorkflowNames } from '../resource-names.ts';
import { describeCloseAttemptWorkflow } from '../workflow/close-attempt-workflow.ts';
import { describeFargateAttemptWorkflow } from '../workflow/fargate-attempt-workflow.ts';
import { describeFunctionAttemptWorkflow } from '../workflow/function-attempt-workflow.ts';
import { describeFunctionGroupWorkflow } from '../workflow/function-group-workflow.ts';
import type { Timeouts, Workflow } from '../workflow/lambda-call.ts';
import { describeRunWorkflow } from '../workflow/run-workflow.ts';
import type { AttemptFunctions } from './attempt-functions.ts';
import type { ControllerFunction } from './controller-function.ts';
import type { RunFunctions } from './run-functions.ts';
import { acknowledgeWildcard } from './wildcards.ts';

/** The state machines, each under a role that calls its own functions and nothing else. */
export class Workflows extends Construct {
  readonly machines: Record<WorkflowKind, StateMachine>;
  private readonly names: WorkflowNames;

  constructor(
    scope: Construct,
    id: string,
    names: WorkflowNames,
    timeouts: Timeouts,
    functions: { run: RunFunctions; attempt: AttemptFunctions },
  ) {
    super(scope, id);
    this.names = names;
    const { run, attempt } = functions;
    this.machines = {
      run: this.create('run', describeRunWorkflow(), { reduceRun: run.reduce }),
      'attempt-function': this.create(
        'attempt-function',
        describeFunctionAttemptWorkflow(timeouts),
        {
          runFunction: attempt.run,
          admitAttempt: attempt.admit,
          closeAttempt: attempt.close,
        },
      ),
      'attempt-group': this.create('attempt-group', describeFunctionGroupWorkflow(timeouts), {
        runFunction: attempt.run,
        admitAttempt: attempt.admit,
        closeAttempt: attempt.close,
      }),
      'attempt-fargate': this.create('attempt-fargate', describeFargateAttemptWorkflow(timeouts), {
        launchAttempt: attempt.launch,
        admitAttempt: attempt.admit,
        closeAttempt: attempt.close,
      }),
      'attempt-close': this.create('attempt-close', describeCloseAttemptWorkflow(), {
        closeAttempt: attempt.close,
      }),
    };
  }

  private create(
    kind: WorkflowKind,
    workflow: Workflow,
    called: Record<string, ControllerFunction>,
  ): StateMachine {
    const role = new Role(this, `${kind}-role`, {
      assumedBy: new ServicePrincipal('states.amazonaws.com'),
    });
    role.addToPrincipalPolicy(
      new PolicyStatement({
        actions: ['lambda:InvokeFunction'],
        resources: Object.values(called).map((each) => each.function.functionArn),
      }),
    );
    const logGroup = new LogGroup(this, `${kind}-logs`, {
      logGroupName: `/aws/vendedlogs/states/${this.names.nameOf(kind)}`,
      retention: RetentionDays.THREE_MONTHS,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const machine = new StateMachine(this, kind, {
      stateMachineName: this.names.nameOf(kind),
      comment: workflow.Comment,
      definitionBody: DefinitionBody.fromString(JSON.stringify(workflow)),
      definitionSubstitutions: Object.fromEntries(
        Object.entries(called).map(([name, each]) => [name, each.function.functionArn]),
      ),
      role,
      // Task tokens are in the data of an execution, so they stay out of the log (p52).
      logs: { destination: logGroup, level: LogLevel.ERROR, includeExecutionData: false },
    });
    acknowledgeRules(role, machine);
    return machine;
  }
}

function acknowledgeRules(role: Role, machine: StateMachine): void {
  acknowledgeWildcard(role, '*', 'Log delivery of Step Functions knows no resource.');
  Validations.of(machine).acknowledge(
    {
      id: 'AwsSolutions-SF1',
      reason: 'Every transition is in the hash-chained log of the run; this log is for faults.',
    },
    {
      id: 'AwsSolutions-SF2',
      reason: 'Traces would need a right on "*"; the log of a run has the times of every step.',
    },
  );
}
