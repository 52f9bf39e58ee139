import { assertLocalEndpoint } from './assert-local-endpoint.ts';
import type { EmulatorState, StackState } from './stack-state.ts';

/**
 * The variables that make any AWS tool or SDK talk to this stack as root of the emulated account.
 * https://docs.aws.amazon.com/sdkref/latest/guide/settings-reference.html
 */
export function describeLocalEnvironment(stack: EmulatorState): Record<string, string> {
  assertLocalEndpoint(stack.endpoint);
  return {
    AWS_ENDPOINT_URL: stack.endpoint,
    AWS_ENDPOINT_URL_S3: stack.endpoint,
    AWS_REGION: stack.region,
    AWS_DEFAULT_REGION: stack.region,
    AWS_ACCESS_KEY_ID: stack.accessKeyId,
    AWS_SECRET_ACCESS_KEY: stack.secretAccessKey,
    AWS_CA_BUNDLE: stack.certificate,
    NODE_EXTRA_CA_CERTS: stack.certificate,
    // A profile or the metadata service of the machine must not get in the way.
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    AWS_EC2_METADATA_DISABLED: 'true',
  };
}

/** Output of the deployed stacks → the variable under which a shell finds it. */
const outputVariables = {
  ApiUrl: 'WINDLASS_API_URL',
  ArtifactBucket: 'WINDLASS_ARTIFACT_BUCKET',
  DropBucket: 'WINDLASS_DROP_BUCKET',
  TableName: 'WINDLASS_TABLE',
  ClusterArn: 'WINDLASS_CLUSTER_ARN',
  RunWorkflowArn: 'WINDLASS_RUN_WORKFLOW_ARN',
} as const;

/** The names of what is deployed, for whoever puts a plan into the inbox or looks around by hand. */
export function describeDeployment(stack: Pick<StackState, 'outputs'>): Record<string, string> {
  const outputs: Record<string, string> = Object.fromEntries(
    Object.values(stack.outputs ?? {}).flatMap((stackOutputs) => Object.entries(stackOutputs)),
  );
  return Object.fromEntries(
    Object.entries(outputVariables).flatMap(([output, variable]) => {
      const value = outputs[output];
      return value === undefined ? [] : [[variable, value]];
    }),
  );
}
