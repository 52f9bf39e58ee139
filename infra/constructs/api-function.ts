import type { IDestination } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { FunctionName } from '../../build/function-names.ts';
import { ControllerFunction } from './controller-function.ts';
import type { ControllerParts } from './controller-parts.ts';
import { pickVariables, type VariableName } from './function-environment.ts';

/** Below the 29 seconds after which API Gateway gives up. */
const timeoutSeconds = 28;

export interface ApiFunctionProps {
  name: FunctionName;
  description: string;
  memoryMegabytes: number;
  /** Besides that of the table. */
  variables: readonly VariableName[];
  onFailure?: IDestination;
}

/** A function behind the public API. */
export function createApiFunction(
  scope: Construct,
  parts: ControllerParts,
  { variables, ...props }: ApiFunctionProps,
): ControllerFunction {
  return new ControllerFunction(scope, props.name, {
    ...props,
    stage: parts.stage,
    timeoutSeconds,
    environment: pickVariables(parts.environment, ['WINDLASS_TABLE', ...variables]),
  });
}
