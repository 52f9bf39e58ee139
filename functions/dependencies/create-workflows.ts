import { createStepFunctionsClient } from '../adapters/aws-clients.ts';
import { createStepFunctionsWorkflowEngine } from '../adapters/step-functions-workflow-engine.ts';
import type { WorkflowEngine } from '../ports/workflow-engine.ts';
import type { Settings } from './read-setting.ts';

/** Workflows by the ARNs that the stack gives; a Lambda that only answers tokens is given none. */
export function createWorkflows(settings: Settings): WorkflowEngine {
  return createStepFunctionsWorkflowEngine({
    client: createStepFunctionsClient(settings),
    runWorkflowArn: settings['WINDLASS_RUN_WORKFLOW_ARN'] ?? '',
    functionWorkflowArn: settings['WINDLASS_FUNCTION_WORKFLOW_ARN'] ?? '',
    fargateWorkflowArn: settings['WINDLASS_FARGATE_WORKFLOW_ARN'] ?? '',
    groupWorkflowArn: settings['WINDLASS_GROUP_WORKFLOW_ARN'] ?? '',
    closeWorkflowArn: settings['WINDLASS_CLOSE_WORKFLOW_ARN'] ?? '',
  });
}
