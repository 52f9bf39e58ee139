import { Construct } from 'constructs';
import { AttemptRole } from './attempt-role.ts';
import { ControllerFunction } from './controller-function.ts';
import type { ControllerParts } from './controller-parts.ts';
import { pickVariables, type VariableName } from './function-environment.ts';
import type { FunctionName } from '../../build/function-names.ts';

/** What couriers call, by way of the executor API. */
export class CourierFunctions extends Construct {
  readonly claim: ControllerFunction;
  readonly heartbeat: ControllerFunction;
  readonly renew: ControllerFunction;
  readonly submit: ControllerFunction;

  constructor(scope: Construct, id: string, parts: ControllerParts) {
    super(scope, id);
    const { table, artifacts, tokenKey } = parts.state;
    const known: VariableName[] = ['WINDLASS_TABLE', 'WINDLASS_TOKEN_KEY_ARN'];
    const create = (name: FunctionName, description: string, more: VariableName[] = []) =>
      new ControllerFunction(this, name, {
        stage: parts.stage,
        name,
        description,
        memoryMegabytes: 512,
        timeoutSeconds: 25,
        environment: pickVariables(parts.environment, [...known, ...more]),
      });

    this.heartbeat = create(
      'heartbeat-attempt',
      'Extends the lease of a courier or tells it to stop',
    );
    this.submit = create('submit-attempt', 'Takes the one response of an attempt', [
      'WINDLASS_ARTIFACT_BUCKET',
      'WINDLASS_RUN_WORKFLOW_ARN',
      'WINDLASS_FARGATE_WORKFLOW_ARN',
    ]);
    this.claim = create('claim-attempt', 'Gives a courier its request and its credentials', [
      'WINDLASS_ARTIFACT_BUCKET',
    ]);
    this.renew = create('renew-attempt', 'Renews the credentials of a live attempt', [
      'WINDLASS_ARTIFACT_BUCKET',
    ]);

    for (const each of [this.claim, this.heartbeat, this.renew, this.submit]) {
      table.grantRead(each, ['ATTEMPT', 'BOARD']);
      tokenKey.grantDerive(each);
    }
    for (const each of [this.claim, this.heartbeat, this.submit]) {
      table.grantUpdate(each, ['ATTEMPT']);
    }
    const issuers = [this.claim, this.renew];
    const { role } = new AttemptRole(this, 'AttemptRole', artifacts, issuers);
    for (const each of issuers) {
      each.function.addEnvironment('WINDLASS_ATTEMPT_ROLE_ARN', role.roleArn);
      artifacts.grantRead(each, ['uploads', 'attachments', 'attempts']);
    }
    table.grantRead(this.submit, ['RUN']);
    table.grantPut(this.submit, ['INBOX']);
    artifacts.grantRead(this.submit, ['responses', 'records']);
    artifacts.grantWrite(this.submit, ['responses', 'records']);
    parts.workflows.grantAnswer(this.submit, ['attempt-fargate', 'run']);
  }
}
