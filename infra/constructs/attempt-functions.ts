import { Construct } from 'constructs';
import { ControllerFunction } from './controller-function.ts';
import type { ControllerParts } from './controller-parts.ts';
import type { ExecutorCluster } from './executor-cluster.ts';
import { pickVariables, type VariableName } from './function-environment.ts';

/** What the attempt workflows call. */
export class AttemptFunctions extends Construct {
  readonly run: ControllerFunction;
  readonly launch: ControllerFunction;
  readonly admit: ControllerFunction;
  readonly close: ControllerFunction;

  constructor(scope: Construct, id: string, parts: ControllerParts, cluster: ExecutorCluster) {
    super(scope, id);
    this.run = this.createRun(parts);
    this.launch = this.createLaunch(parts, cluster);
    this.admit = this.createAdmit(parts);
    this.close = this.createClose(parts, cluster);
  }

  /** Its role cannot write anything of a run. */
  private createRun(parts: ControllerParts): ControllerFunction {
    const { table, artifacts } = parts.state;
    const run = new ControllerFunction(this, 'run-function', {
      stage: parts.stage,
      name: 'run-function',
      description: 'Runs a registered function on the request of one attempt',
      memoryMegabytes: 1769,
      timeoutSeconds: 900,
      environment: pickVariables(parts.environment, ['WINDLASS_TABLE', 'WINDLASS_ARTIFACT_BUCKET']),
    });
    table.grantRead(run, ['ATTEMPT', 'BOARD']);
    artifacts.grantRead(run, ['uploads', 'attachments', 'attempts', 'responses', 'records']);
    // A return that is too large for a state of its workflow goes by its digest (p42), as do those of a group.
    artifacts.grantWrite(run, ['attempts', 'responses', 'records', 'returns']);
    return run;
  }

  private createLaunch(parts: ControllerParts, cluster: ExecutorCluster): ControllerFunction {
    const { table, tokenKey } = parts.state;
    const launch = new ControllerFunction(this, 'launch-attempt', {
      stage: parts.stage,
      name: 'launch-attempt',
      description: 'Starts the Fargate task of one attempt',
      memoryMegabytes: 512,
      timeoutSeconds: 60,
      environment: {
        ...pickVariables(parts.environment, [
          'WINDLASS_TABLE',
          'WINDLASS_TOKEN_KEY_ARN',
          'WINDLASS_FARGATE_WORKFLOW_ARN',
        ]),
        ...cluster.launchVariables,
      },
    });
    table.grantRead(launch, ['ATTEMPT', 'BOARD']);
    table.grantUpdate(launch, ['ATTEMPT']);
    tokenKey.grantDerive(launch);
    cluster.grantLaunch(launch);
    cluster.grantFind(launch);
    parts.workflows.grantAnswer(launch, ['attempt-fargate']);
    return launch;
  }

  private createAdmit(parts: ControllerParts): ControllerFunction {
    const admit = new ControllerFunction(this, 'admit-attempt', {
      stage: parts.stage,
      name: 'admit-attempt',
      description: 'Checks what an attempt returned and sets its outcome',
      memoryMegabytes: 1769,
      timeoutSeconds: 60,
      environment: pickVariables(parts.environment, admissionVariables),
    });
    grantAdmission(admit, parts);
    return admit;
  }

  /** Closing admits what had been returned before, so it has the rights of admission too (p14). */
  private createClose(parts: ControllerParts, cluster: ExecutorCluster): ControllerFunction {
    const close = new ControllerFunction(this, 'close-attempt', {
      stage: parts.stage,
      name: 'close-attempt',
      description: 'Fences an attempt, stops what runs of it, and sets its outcome',
      memoryMegabytes: 1769,
      timeoutSeconds: 60,
      environment: {
        ...pickVariables(parts.environment, [
          ...admissionVariables,
          'WINDLASS_FUNCTION_WORKFLOW_ARN',
          'WINDLASS_FARGATE_WORKFLOW_ARN',
          'WINDLASS_GROUP_WORKFLOW_ARN',
          'WINDLASS_CLOSE_WORKFLOW_ARN',
        ]),
        ...cluster.stopVariables,
      },
    });
    grantAdmission(close, parts);
    cluster.grantFind(close);
    cluster.grantStop(close);
    parts.workflows.grantStop(close, ['attempt-function', 'attempt-fargate', 'attempt-group']);
    // An execution that is stopped takes a whole group with it.
    parts.workflows.grantStart(close, ['attempt-close']);
    return close;
  }
}

const admissionVariables: VariableName[] = [
  'WINDLASS_TABLE',
  'WINDLASS_ARTIFACT_BUCKET',
  'WINDLASS_RUN_WORKFLOW_ARN',
];

function grantAdmission(grantee: ControllerFunction, parts: ControllerParts): void {
  const { table, artifacts } = parts.state;
  table.grantRead(grantee, ['ATTEMPT', 'RUN', 'BOARD']);
  table.grantUpdate(grantee, ['ATTEMPT']);
  table.grantPut(grantee, ['INBOX']);
  artifacts.grantRead(grantee, [
    'attempts',
    'plans',
    'responses',
    'records',
    'returns',
    'evaluations',
  ]);
  artifacts.grantWrite(grantee, ['responses', 'evaluations']);
  parts.workflows.grantAnswer(grantee, ['run']);
}
