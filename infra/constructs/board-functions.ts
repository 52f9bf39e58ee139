import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { Construct } from 'constructs';
import type { FunctionName } from '../../build/function-names.ts';
import { createApiFunction } from './api-function.ts';
import type { ControllerFunction } from './controller-function.ts';
import type { ControllerParts } from './controller-parts.ts';
import type { DeadEvents } from './dead-events.ts';
import type { VariableName } from './function-environment.ts';

const memoryMegabytes = 1024;

/** What teams and operators call, by way of the public API and the drop bucket. */
export class BoardFunctions extends Construct {
  readonly startRun: ControllerFunction;
  readonly startDroppedRun: ControllerFunction;
  readonly checkPlan: ControllerFunction;
  readonly showRun: ControllerFunction;
  readonly cancelRun: ControllerFunction;
  readonly prepareUpload: ControllerFunction;
  readonly administerBoard: ControllerFunction;
  private readonly parts: ControllerParts;

  constructor(scope: Construct, id: string, parts: ControllerParts, deadEvents: DeadEvents) {
    super(scope, id);
    this.parts = parts;
    const { table, artifacts, drops } = parts.state;
    const starting: VariableName[] = [
      'WINDLASS_ARTIFACT_BUCKET',
      'WINDLASS_ENVIRONMENT_PINS',
      'WINDLASS_RUN_WORKFLOW_ARN',
    ];

    this.startRun = this.create('start-run', 'Starts a run of a plan', starting);
    this.startDroppedRun = createApiFunction(this, parts, {
      name: 'start-dropped-run',
      description: 'Starts a run of a plan that was dropped into the inbox',
      memoryMegabytes,
      variables: [...starting, 'WINDLASS_DROP_BUCKET'],
      // Nothing else makes a plan good that was dropped and not answered.
      onFailure: new SqsDestination(deadEvents.queue),
    });
    for (const each of [this.startRun, this.startDroppedRun]) {
      table.grantRead(each, ['BOARD', 'START', 'RUN', 'ATTACHMENT']);
      // The head of the new run and its first message; IAM cannot tell a head from the rest of its partition.
      table.grantPut(each, ['START', 'RUN', 'INBOX']);
      artifacts.grantRead(each, ['uploads', 'attachments', 'attempts', 'plans']);
      artifacts.grantWrite(each, ['plans']);
      parts.workflows.grantStart(each, ['run']);
    }
    drops.grantReadPlans(this.startDroppedRun);
    drops.grantAnswer(this.startDroppedRun);

    this.checkPlan = this.create('check-plan', 'Checks a plan as a start would', [
      'WINDLASS_ARTIFACT_BUCKET',
      'WINDLASS_ENVIRONMENT_PINS',
    ]);
    table.grantRead(this.checkPlan, ['BOARD', 'ATTACHMENT']);
    artifacts.grantRead(this.checkPlan, ['uploads', 'attachments', 'attempts']);

    this.showRun = this.create('show-run', 'Shows runs, their nodes, events and deliverables', [
      'WINDLASS_ARTIFACT_BUCKET',
    ]);
    table.grantRead(this.showRun, ['BOARD', 'RUN']);
    table.grantQuery(this.showRun, ['RUN']);
    table.grantList(this.showRun, 'by-board');
    artifacts.grantRead(this.showRun, ['plans', 'events', 'attempts', 'evaluations']);

    this.cancelRun = this.create('cancel-run', 'Orders a run to stop', [
      'WINDLASS_RUN_WORKFLOW_ARN',
    ]);
    table.grantRead(this.cancelRun, ['BOARD', 'RUN']);
    table.grantPut(this.cancelRun, ['BOARD', 'INBOX']);
    parts.workflows.grantAnswer(this.cancelRun, ['run']);

    this.prepareUpload = this.create('prepare-upload', 'Makes a place for one file of a board', [
      'WINDLASS_ARTIFACT_BUCKET',
    ]);
    table.grantRead(this.prepareUpload, ['BOARD']);
    artifacts.grantRead(this.prepareUpload, ['uploads']);
    artifacts.grantWrite(this.prepareUpload, ['uploads']);

    this.administerBoard = this.create('administer-board', 'Creates boards and grants rights', []);
    table.grantRead(this.administerBoard, ['BOARD']);
    table.grantCheck(this.administerBoard, ['BOARD']);
    table.grantPut(this.administerBoard, ['BOARD']);
    table.grantRemove(this.administerBoard, ['BOARD']);
  }

  private create(
    name: FunctionName,
    description: string,
    variables: readonly VariableName[],
  ): ControllerFunction {
    return createApiFunction(this, this.parts, { name, description, memoryMegabytes, variables });
  }
}
