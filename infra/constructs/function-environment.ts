/** What a function may be told. Each gets the variables it uses and no others. */
export const variableNames = [
  'WINDLASS_TABLE',
  'WINDLASS_ARTIFACT_BUCKET',
  'WINDLASS_DROP_BUCKET',
  'WINDLASS_ENVIRONMENT_PINS',
  'WINDLASS_TOKEN_KEY_ARN',
  'WINDLASS_ATTEMPT_ROLE_ARN',
  'WINDLASS_RUN_WORKFLOW_ARN',
  'WINDLASS_FUNCTION_WORKFLOW_ARN',
  'WINDLASS_FARGATE_WORKFLOW_ARN',
  'WINDLASS_GROUP_WORKFLOW_ARN',
  'WINDLASS_CLOSE_WORKFLOW_ARN',
  'WINDLASS_CLUSTER_ARN',
  'WINDLASS_TASK_DEFINITIONS',
  'WINDLASS_SUBNETS',
  'WINDLASS_SECURITY_GROUPS',
] as const;
export type VariableName = (typeof variableNames)[number];

export type FunctionEnvironment = Partial<Record<VariableName, string>>;

/** @throws Error when a variable is wanted that this part of the stack does not have */
export function pickVariables(
  from: FunctionEnvironment,
  names: readonly VariableName[],
): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => {
      const value = from[name];
      if (value === undefined) throw new Error(`${name} is not known where it is wanted`);
      return [name, value];
    }),
  );
}
