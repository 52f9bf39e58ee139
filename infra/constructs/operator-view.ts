import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { ControllerFunction } from './controller-function.ts';
import type { Workflows } from './workflows.ts';

export interface OperatorViewProps {
  prefix: string;
  workflows: Workflows;
  deadEvents: IQueue;
  /** Whose errors are shown. */
  functions: ControllerFunction[];
}

/** What an operator is told of, and sees at a glance. Each alarm has a section of the same name in the runbook. */
export class OperatorView extends Construct {
  private readonly prefix: string;

  constructor(scope: Construct, id: string, props: OperatorViewProps) {
    super(scope, id);
    this.prefix = props.prefix;
    const period = { period: Duration.minutes(5) };
    const { run, ...attempts } = props.workflows.machines;
    const waiting = props.deadEvents.metricApproximateNumberOfMessagesVisible(period);
    const sweep = props.functions.find(({ node }) => node.id === 'sweep');

    this.addAlarm('event-not-delivered', 'An event could not be delivered.', waiting);
    this.addAlarm('run-workflow-failed', 'The workflow of a run failed.', run.metricFailed(period));
    this.addAlarm(
      'stop-not-confirmed',
      'The task of an attempt would not stop.',
      props.workflows.machines['attempt-close'].metricFailed(period),
    );
    if (sweep !== undefined) {
      const errors = sweep.function.metricErrors(period);
      this.addAlarm('sweep-failed', 'The sweep failed.', errors);
    }

    new Dashboard(this, 'Dashboard', {
      dashboardName: `${props.prefix}-runs`,
      widgets: [
        [
          new GraphWidget({
            title: 'Run workflows',
            left: [
              run.metricStarted(period),
              run.metricSucceeded(period),
              run.metricFailed(period),
            ],
          }),
          new GraphWidget({
            title: 'Attempts started',
            left: Object.values(attempts).map((machine) => machine.metricStarted(period)),
          }),
        ],
        [
          new GraphWidget({
            title: 'Errors of functions',
            left: props.functions.map((each) => each.function.metricErrors(period)),
          }),
          new GraphWidget({ title: 'Events not delivered', left: [waiting] }),
        ],
      ],
    });
  }

  private addAlarm(name: string, description: string, metric: IMetric): void {
    new Alarm(this, name, {
      alarmName: `${this.prefix}-${name}`,
      alarmDescription: description,
      metric,
      threshold: 0,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }
}
