import { Construct } from 'constructs';
import { ControllerFunction } from './controller-function.ts';
import type { ControllerParts } from './controller-parts.ts';
import type { ExecutorCluster } from './executor-cluster.ts';
import { pickVariables } from './function-environment.ts';

/** What moves runs on: the reducer, and what starts it again when nobody else does. */
export class RunFunctions extends Construct {
  readonly reduce: ControllerFunction;
  readonly revive: ControllerFunction;
  readonly sweep: ControllerFunction;

  constructor(scope: Construct, id: string, parts: ControllerParts, cluster: ExecutorCluster) {
    super(scope, id);
    this.reduce = this.createReduce(parts);
    this.revive = this.createRevive(parts);
    this.sweep = this.createSweep(parts, cluster);
  }

  private createReduce(parts: ControllerParts): ControllerFunction {
    const { table, artifacts, tokenKey } = parts.state;
    const reduce = new ControllerFunction(this, 'reduce-run', {
      stage: parts.stage,
      name: 'reduce-run',
      description: 'Reduces the inbox of one run and starts what is ready',
      memoryMegabytes: 1769,
      timeoutSeconds: 120,
      environment: pickVariables(parts.environment, [
        'WINDLASS_TABLE',
        'WINDLASS_ARTIFACT_BUCKET',
        'WINDLASS_TOKEN_KEY_ARN',
        'WINDLASS_RUN_WORKFLOW_ARN',
        'WINDLASS_FUNCTION_WORKFLOW_ARN',
        'WINDLASS_FARGATE_WORKFLOW_ARN',
        'WINDLASS_GROUP_WORKFLOW_ARN',
        'WINDLASS_CLOSE_WORKFLOW_ARN',
      ]),
    });
    table.grantRead(reduce, ['RUN']);
    table.grantQuery(reduce, ['RUN', 'INBOX']);
    table.grantPut(reduce, ['RUN']);
    table.grantUpdate(reduce, ['RUN']);
    table.grantRemove(reduce, ['RUN']);
    table.grantBatch(reduce, ['INBOX', 'ATTEMPT', 'ATTACHMENT']);
    artifacts.grantRead(reduce, ['plans', 'events']);
    artifacts.grantWrite(reduce, ['events']);
    tokenKey.grantDerive(reduce);
    parts.workflows.grantStart(reduce, [
      'run',
      'attempt-function',
      'attempt-fargate',
      'attempt-group',
      'attempt-close',
    ]);
    parts.workflows.grantAnswer(reduce, ['run']);
    return reduce;
  }

  private createRevive(parts: ControllerParts): ControllerFunction {
    const { table } = parts.state;
    const revive = new ControllerFunction(this, 'revive-run', {
      stage: parts.stage,
      name: 'revive-run',
      description: 'Starts the next generation of a run whose workflow died',
      memoryMegabytes: 512,
      timeoutSeconds: 60,
      environment: pickVariables(parts.environment, [
        'WINDLASS_TABLE',
        'WINDLASS_RUN_WORKFLOW_ARN',
      ]),
    });
    table.grantRead(revive, ['RUN']);
    table.grantUpdate(revive, ['RUN']);
    table.grantPut(revive, ['INBOX', 'BOARD']);
    parts.workflows.grantStart(revive, ['run']);
    parts.workflows.grantDescribe(revive, ['run']);
    return revive;
  }

  private createSweep(parts: ControllerParts, cluster: ExecutorCluster): ControllerFunction {
    const { table } = parts.state;
    const sweep = new ControllerFunction(this, 'sweep', {
      stage: parts.stage,
      name: 'sweep',
      description: 'Finds what should have moved and has not, and wakes it',
      memoryMegabytes: 512,
      timeoutSeconds: 55,
      environment: {
        ...pickVariables(parts.environment, [
          'WINDLASS_TABLE',
          'WINDLASS_RUN_WORKFLOW_ARN',
          'WINDLASS_FUNCTION_WORKFLOW_ARN',
          'WINDLASS_FARGATE_WORKFLOW_ARN',
          'WINDLASS_CLOSE_WORKFLOW_ARN',
        ]),
        ...cluster.stopVariables,
      },
    });
    table.grantList(sweep, 'sweep');
    table.grantRead(sweep, ['RUN', 'ATTEMPT']);
    table.grantQuery(sweep, ['RUN', 'INBOX']);
    table.grantUpdate(sweep, ['RUN']);
    table.grantPut(sweep, ['INBOX', 'BOARD']);
    cluster.grantFind(sweep);
    parts.workflows.grantStart(sweep, ['run', 'attempt-close']);
    parts.workflows.grantDescribe(sweep, ['run']);
    parts.workflows.grantStop(sweep, ['run']);
    parts.workflows.grantAnswer(sweep, ['run']);
    return sweep;
  }
}
