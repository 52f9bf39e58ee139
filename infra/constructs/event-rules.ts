import { Duration } from 'aws-cdk-lib';
import { EventField, Match, Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction, SfnStateMachine } from 'aws-cdk-lib/aws-events-targets';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { BoardFunctions } from './board-functions.ts';
import type { RunFunctions } from './run-functions.ts';
import type { Workflows } from './workflows.ts';

export interface EventRulesProps {
  drops: IBucket;
  clusterArn: string;
  workflows: Workflows;
  board: BoardFunctions;
  run: RunFunctions;
  deadEvents: IQueue;
}

const unfinished = ['FAILED', 'ABORTED', 'TIMED_OUT'];
const sweepMinutes = 1;

/** Which event sets what in motion. Events make things fast; the sweep makes them certain (p17). */
export class EventRules extends Construct {
  private readonly props: EventRulesProps;
  private readonly delivery;

  constructor(scope: Construct, id: string, props: EventRulesProps) {
    super(scope, id);
    this.props = props;
    this.delivery = {
      deadLetterQueue: props.deadEvents,
      retryAttempts: 24,
      maxEventAge: Duration.hours(2),
    };
    this.startDroppedRuns();
    this.reviveRuns();
    this.closeAttempts();
    this.closeGroups();
    this.noticeStoppedTasks();
    this.sweep();
  }

  private startDroppedRuns(): void {
    new Rule(this, 'PlanDropped', {
      description: 'A plan was dropped into the inbox',
      eventPattern: {
        source: ['aws.s3'],
        detailType: ['Object Created'],
        detail: {
          bucket: { name: [this.props.drops.bucketName] },
          object: { key: Match.prefix('inbox/') },
        },
      },
      targets: [new LambdaFunction(this.props.board.startDroppedRun.function, this.delivery)],
    });
  }

  /**
   * Stopped in the console or lost: the run goes on in its next generation at once. One that failed is left to the
   * sweep: what broke it would break its successor too, and would do so without a pause.
   */
  private reviveRuns(): void {
    new Rule(this, 'RunWorkflowEnded', {
      description: 'The workflow of a run ended before the run did',
      eventPattern: {
        source: ['aws.states'],
        detailType: ['Step Functions Execution Status Change'],
        detail: {
          stateMachineArn: [this.props.workflows.machines.run.stateMachineArn],
          status: ['ABORTED', 'TIMED_OUT'],
        },
      },
      targets: [new LambdaFunction(this.props.run.revive.function, this.delivery)],
    });
  }

  /** Only ids pass: the event of an execution quotes its whole input (p42, p52). */
  private closeAttempts(): void {
    const { machines } = this.props.workflows;
    new Rule(this, 'AttemptWorkflowEnded', {
      description: 'The workflow of an attempt was stopped or failed',
      eventPattern: {
        source: ['aws.states'],
        detailType: ['Step Functions Execution Status Change'],
        detail: {
          stateMachineArn: [
            machines['attempt-function'].stateMachineArn,
            machines['attempt-fargate'].stateMachineArn,
          ],
          status: unfinished,
        },
      },
      targets: [this.close('$.detail.name', EventField.fromPath('$.detail.status'))],
    });
  }

  /** Whoever ends the execution of a group ends all its attempts; the first one, whose name it has, knows the others. */
  private closeGroups(): void {
    new Rule(this, 'GroupWorkflowEnded', {
      description: 'The workflow of a group of attempts was stopped or failed',
      eventPattern: {
        source: ['aws.states'],
        detailType: ['Step Functions Execution Status Change'],
        detail: {
          stateMachineArn: [this.props.workflows.machines['attempt-group'].stateMachineArn],
          status: unfinished,
        },
      },
      targets: [
        new SfnStateMachine(this.props.workflows.machines['attempt-close'], {
          ...this.delivery,
          input: RuleTargetInput.fromObject({
            attemptId: EventField.fromPath('$.detail.name'),
            cause: EventField.fromPath('$.detail.status'),
            isGroupEnded: true,
          }),
        }),
      ],
    });
  }

  /** A task that stops without having submitted would leave its attempt waiting (p10). */
  private noticeStoppedTasks(): void {
    new Rule(this, 'TaskStopped', {
      description: 'The Fargate task of an attempt stopped',
      eventPattern: {
        source: ['aws.ecs'],
        detailType: ['ECS Task State Change'],
        detail: {
          clusterArn: [this.props.clusterArn],
          lastStatus: ['STOPPED'],
          startedBy: Match.prefix('att_'),
        },
      },
      targets: [this.close('$.detail.startedBy', 'TASK_STOPPED')],
    });
  }

  private close(attemptIdPath: string, cause: string): SfnStateMachine {
    return new SfnStateMachine(this.props.workflows.machines['attempt-close'], {
      ...this.delivery,
      input: RuleTargetInput.fromObject({ attemptId: EventField.fromPath(attemptIdPath), cause }),
    });
  }

  private sweep(): void {
    new Rule(this, 'EveryMinute', {
      description: 'Looks for what should have moved and has not',
      schedule: Schedule.rate(Duration.minutes(sweepMinutes)),
      targets: [new LambdaFunction(this.props.run.sweep.function, { retryAttempts: 0 })],
    });
  }
}
