import { Construct } from 'constructs';
import type { FunctionName } from '../../build/function-names.ts';
import { createApiFunction } from './api-function.ts';
import type { ControllerFunction } from './controller-function.ts';
import type { ControllerParts } from './controller-parts.ts';
import type { VariableName } from './function-environment.ts';

/** One whole processor: two of them hash up to a page of stored bytes before API Gateway gives up. */
const memoryMegabytes = 1769;

/** What hands documents in and out, by way of the public API. */
export class TaskFunctions extends Construct {
  readonly create: ControllerFunction;
  readonly show: ControllerFunction;
  readonly prepare: ControllerFunction;
  readonly register: ControllerFunction;
  private readonly parts: ControllerParts;

  constructor(scope: Construct, id: string, parts: ControllerParts) {
    super(scope, id);
    this.parts = parts;
    const { table, artifacts } = parts.state;
    const objects: VariableName[] = ['WINDLASS_ARTIFACT_BUCKET'];

    this.create = this.build('create-task', 'Makes a task of a board', []);
    table.grantRead(this.create, ['BOARD', 'TASK']);
    table.grantPut(this.create, ['TASK']);

    this.show = this.build('show-task', 'Shows tasks and their attachments, hashed', objects);
    table.grantRead(this.show, ['BOARD', 'TASK', 'ATTACHMENT']);
    table.grantQuery(this.show, ['ATTACHMENT']);
    table.grantList(this.show, 'by-board');
    // What attempts made lies where they wrote it.
    artifacts.grantRead(this.show, ['attachments', 'attempts']);

    this.prepare = this.build('prepare-attachment', 'Makes a place for one attachment', objects);
    table.grantRead(this.prepare, ['BOARD', 'TASK']);
    table.grantQuery(this.prepare, ['ATTACHMENT']);
    artifacts.grantRead(this.prepare, ['attachments']);
    artifacts.grantWrite(this.prepare, ['attachments']);

    this.register = this.build('register-attachment', 'Registers verified bytes', objects);
    table.grantRead(this.register, ['BOARD', 'TASK', 'ATTACHMENT']);
    table.grantQuery(this.register, ['ATTACHMENT']);
    table.grantPut(this.register, ['ATTACHMENT']);
    // The number that the last attachment of a board got.
    table.grantUpdate(this.register, ['COUNTER']);
    artifacts.grantRead(this.register, ['attachments']);
  }

  private build(
    name: FunctionName,
    description: string,
    variables: readonly VariableName[],
  ): ControllerFunction {
    return createApiFunction(this, this.parts, { name, description, memoryMegabytes, variables });
  }
}
