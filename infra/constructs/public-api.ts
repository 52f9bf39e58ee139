import { Validations } from 'aws-cdk-lib';
import {
  AuthorizationType,
  EndpointType,
  type IResource,
  LambdaIntegration,
  type Model,
  type RequestValidator,
  type RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import type { z } from 'zod';
import { planCheckBody } from '../../schemas/plan-check-api.ts';
import { grantBody, prepareUploadBody, startRunBody } from '../../schemas/public-api.ts';
import { attachmentBody, createTaskBody } from '../../schemas/task-api.ts';
import type { BoardFunctions } from './board-functions.ts';
import type { ControllerFunction } from './controller-function.ts';
import { renderRequestModel } from './request-models.ts';
import { createLoggedRestApi } from './rest-api.ts';
import type { TaskFunctions } from './task-functions.ts';

export interface PublicApiFunctions {
  board: BoardFunctions;
  task: TaskFunctions;
}

/** What teams and operators call. Every call is signed, and every path begins with the board, so that IAM can scope it. */
export class PublicApi extends Construct {
  readonly api: RestApi;
  private readonly validator: RequestValidator;

  constructor(scope: Construct, id: string, prefix: string, functions: PublicApiFunctions) {
    super(scope, id);
    this.api = createLoggedRestApi(this, {
      restApiName: `${prefix}-api`,
      description: 'Boards, runs, tasks and their documents',
      endpoint: { types: [EndpointType.REGIONAL] },
      requestsPerSecond: 50,
      burst: 100,
    });
    this.validator = this.api.addRequestValidator('Bodies', {
      validateRequestBody: true,
      validateRequestParameters: true,
    });
    const board = this.api.root.addResource('boards').addResource('{board}');
    this.addBoardRoutes(board, functions.board);
    this.addTaskRoutes(board, functions.task);
    this.acknowledgeRules();
  }

  private addBoardRoutes(board: IResource, functions: BoardFunctions): void {
    this.addRoute(board, 'PUT', functions.administerBoard);
    const grant = this.addModel('Grant', grantBody);
    this.addRoute(board.addResource('grants'), 'PUT', functions.administerBoard, grant);
    const upload = this.addModel('Upload', prepareUploadBody);
    this.addRoute(board.addResource('uploads'), 'POST', functions.prepareUpload, upload);
    const check = this.addModel('PlanCheck', planCheckBody);
    this.addRoute(board.addResource('plan-checks'), 'POST', functions.checkPlan, check);

    const runs = board.addResource('runs');
    this.addRoute(runs, 'POST', functions.startRun, this.addModel('StartRun', startRunBody));
    this.addRoute(runs, 'GET', functions.showRun);
    const run = runs.addResource('{run}');
    this.addRoute(run, 'GET', functions.showRun);
    this.addRoute(run.addResource('events'), 'GET', functions.showRun);
    this.addRoute(run.addResource('nodes').addResource('{node}'), 'GET', functions.showRun);
    this.addRoute(run.addResource('deliverables'), 'GET', functions.showRun);
    this.addRoute(run.addResource('cancel'), 'POST', functions.cancelRun);
  }

  private addTaskRoutes(board: IResource, functions: TaskFunctions): void {
    const tasks = board.addResource('tasks');
    this.addRoute(tasks, 'POST', functions.create, this.addModel('CreateTask', createTaskBody));
    this.addRoute(tasks, 'GET', functions.show);
    const task = tasks.addResource('{task}');
    this.addRoute(task, 'GET', functions.show);
    const attachment = this.addModel('Attachment', attachmentBody);
    this.addRoute(task.addResource('uploads'), 'POST', functions.prepare, attachment);
    const attachments = task.addResource('attachments');
    this.addRoute(attachments, 'POST', functions.register, attachment);
    this.addRoute(attachments, 'GET', functions.show);
    this.addRoute(attachments.addResource('{attachment}'), 'GET', functions.show);
  }

  private addRoute(
    resource: IResource,
    method: 'GET' | 'PUT' | 'POST',
    target: ControllerFunction,
    body?: Model,
  ): void {
    resource.addMethod(
      method,
      new LambdaIntegration(target.function, { proxy: true, allowTestInvoke: false }),
      {
        authorizationType: AuthorizationType.IAM,
        requestValidator: this.validator,
        // A body of any content type is checked, not only one that says it is JSON.
        ...(body === undefined ? {} : { requestModels: { $default: body } }),
      },
    );
  }

  private addModel(name: string, body: z.ZodType): Model {
    return this.api.addModel(name, {
      modelName: name,
      contentType: 'application/json',
      schema: renderRequestModel(body),
    });
  }

  private acknowledgeRules(): void {
    Validations.of(this.api).acknowledge(
      {
        id: 'AwsSolutions-COG4',
        reason: 'Callers are principals of AWS: every method wants a signature (IAM).',
      },
      {
        id: 'AwsSolutions-APIG3',
        reason:
          'Nobody reaches a function without a valid signature, so a firewall would see none.',
      },
    );
  }
}
