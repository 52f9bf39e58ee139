import { Duration, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type IMetric,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { logMessages } from '../../schemas/log-messages.ts';
import type { AttemptFunctions } from './attempt-functions.ts';
import { ControllerFunction } from './controller-function.ts';
import type { DeadEvents } from './dead-events.ts';
import type { ExecutorApi } from './executor-api.ts';
import type { PublicApi } from './public-api.ts';
import type { RunFunctions } from './run-functions.ts';
import type { Workflows } from './workflows.ts';

export interface OperatorViewProps {
  workflows: Workflows;
  deadEvents: DeadEvents;
  publicApi: PublicApi;
  executorApi: ExecutorApi;
  attempt: AttemptFunctions;
  run: RunFunctions;
}

interface Metrics {
  waiting: IMetric;
  alone: IMetric;
  faults: { public: IMetric; executor: IMetric };
}

const period = { period: Duration.minutes(5) };

/** What an operator is told of, and sees at a glance. Each alarm has a section of the same name in the runbook. */
export class OperatorView extends Construct {
  private readonly prefix: string;

  constructor(scope: Construct, id: string, prefix: string, props: OperatorViewProps) {
    super(scope, id);
    this.prefix = prefix;
    const { attempt } = props;
    const metrics = {
      waiting: props.deadEvents.queue.metricApproximateNumberOfMessagesVisible(period),
      alone: this.countAttemptsAlone([attempt.run, attempt.admit]),
      faults: {
        public: props.publicApi.api.metricServerError(period),
        executor: props.executorApi.api.metricServerError(period),
      },
    };
    this.addAlarms(props, metrics);
    this.addDashboard(props, metrics);
  }

  /** An attempt that lost its place in a group is made good, and only its log line tells that something was broken. */
  private countAttemptsAlone(functions: ControllerFunction[]): IMetric {
    const name = { metricNamespace: `${this.prefix}/attempts`, metricName: 'LeftGroup' };
    for (const each of functions) {
      new MetricFilter(this, `${each.node.id}-left-group`, {
        ...name,
        logGroup: each.logGroup,
        filterPattern: FilterPattern.stringValue('$.message', '=', logMessages.leftGroup),
      });
    }
    const { metricNamespace: namespace, metricName } = name;
    return new Metric({ namespace, metricName, statistic: 'Sum', ...period });
  }

  private addAlarms({ workflows, attempt, run }: OperatorViewProps, metrics: Metrics): void {
    const { 'attempt-close': close, run: drive } = workflows.machines;
    const { waiting, alone, faults } = metrics;
    const alarms: [name: string, description: string, metric: IMetric][] = [
      ['event-not-delivered', 'An event could not be delivered.', waiting],
      ['run-workflow-failed', 'The workflow of a run failed.', drive.metricFailed(period)],
      ['stop-not-confirmed', 'The task of an attempt would not stop.', close.metricFailed(period)],
      ['sweep-failed', 'The sweep failed.', measureErrors(run.sweep)],
      ['api-failed', 'The API answered with a fault of its own.', faults.public],
      ['executor-api-failed', 'A courier was answered with a fault of ours.', faults.executor],
      ['run-function-failed', 'A call that runs functions broke.', measureErrors(attempt.run)],
      ['admit-attempt-failed', 'A call that admits answers broke.', measureErrors(attempt.admit)],
      ['attempt-left-group', 'A fault took an attempt out of its group.', alone],
    ];
    for (const alarm of alarms) this.addAlarm(...alarm);
  }

  private addDashboard(props: OperatorViewProps, metrics: Metrics): void {
    const { run, ...attempts } = props.workflows.machines;
    new Dashboard(this, 'Dashboard', {
      dashboardName: `${this.prefix}-runs`,
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
            left: this.findFunctions().map(measureErrors),
          }),
          new GraphWidget({
            title: 'Faults of the APIs',
            left: Object.values(metrics.faults),
          }),
        ],
        [
          new GraphWidget({ title: 'Events not delivered', left: [metrics.waiting] }),
          new GraphWidget({ title: 'Attempts that left their group', left: [metrics.alone] }),
        ],
      ],
    });
  }

  /** Every one of the stack, so that a new one is not forgotten. */
  private findFunctions(): ControllerFunction[] {
    const constructs = Stack.of(this).node.findAll();
    return constructs.filter((each) => each instanceof ControllerFunction);
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

function measureErrors(each: ControllerFunction): IMetric {
  return each.function.metricErrors(period);
}
