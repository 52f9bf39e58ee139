import { renderEnvironmentPins } from '../environment-pins.ts';
import type { Stage } from '../stage-config.ts';
import type { StateStack } from '../stacks/state-stack.ts';
import type { FunctionEnvironment } from './function-environment.ts';
import type { WorkflowGrants } from './workflow-grants.ts';

/** What every group of functions is built from. */
export interface ControllerParts {
  stage: Stage;
  state: StateStack;
  workflows: WorkflowGrants;
  environment: FunctionEnvironment;
}

/** The names and ARNs that exist before any function does. */
export function describeParts(
  stage: Stage,
  state: StateStack,
  workflows: WorkflowGrants,
): ControllerParts {
  return {
    stage,
    state,
    workflows,
    environment: {
      WINDLASS_TABLE: state.table.tableName,
      WINDLASS_ARTIFACT_BUCKET: state.artifacts.bucket.bucketName,
      WINDLASS_DROP_BUCKET: state.drops.bucket.bucketName,
      WINDLASS_ENVIRONMENT_PINS: renderEnvironmentPins(stage),
      WINDLASS_TOKEN_KEY_ARN: state.tokenKey.keyArn,
      WINDLASS_RUN_WORKFLOW_ARN: workflows.names.arnOf('run'),
      WINDLASS_FUNCTION_WORKFLOW_ARN: workflows.names.arnOf('attempt-function'),
      WINDLASS_FARGATE_WORKFLOW_ARN: workflows.names.arnOf('attempt-fargate'),
      WINDLASS_GROUP_WORKFLOW_ARN: workflows.names.arnOf('attempt-group'),
      WINDLASS_CLOSE_WORKFLOW_ARN: workflows.names.arnOf('attempt-close'),
    },
  };
}
