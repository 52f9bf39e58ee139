import type { Template } from 'aws-cdk-lib/assertions';
import type { FunctionName } from '../../build/function-names.ts';
import { listResources, render } from './synthesise-stage.ts';

export interface Statement {
  Effect: 'Allow' | 'Deny';
  Action: string[];
  Resource: unknown[];
  Principal?: unknown;
  Condition?: Record<string, Record<string, unknown>>;
}

function listOf<T>(value: T | T[] | undefined): T[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

export function readStatements(document: unknown): Statement[] {
  const { Statement } = document as { Statement: Record<string, unknown>[] };
  return Statement.map((each) => ({
    ...(each as unknown as Statement),
    Action: listOf(each['Action'] as string | string[]),
    Resource: listOf(each['Resource']),
  }));
}

/** Every statement of an identity policy of the stack, with the logical id of its policy. */
export function listGrants(template: Template): { policy: string; statement: Statement }[] {
  return listResources(template, 'AWS::IAM::Policy').flatMap(([policy, resource]) =>
    readStatements(resource.Properties['PolicyDocument']).map((statement) => ({
      policy,
      statement,
    })),
  );
}

/** What the role of one function may do. */
export function listGrantsOf(template: Template, name: FunctionName): Statement[] {
  const found = listResources(template, 'AWS::Lambda::Function').find(
    ([, resource]) => resource.Properties['FunctionName'] === `windlass-${name}`,
  );
  const role = (found?.[1].Properties['Role'] as { 'Fn::GetAtt': [string, string] })[
    'Fn::GetAtt'
  ][0];
  const policies = listResources(template, 'AWS::IAM::Policy').filter(([, resource]) =>
    render(resource.Properties['Roles']).includes(`"${role}"`),
  );
  if (policies.length === 0) throw new Error(`no policy of ${name} found`);
  return policies.flatMap(([, resource]) => readStatements(resource.Properties['PolicyDocument']));
}

/** `dynamodb` actions on items of a family, such as RUN. */
export function listItemActions(statements: Statement[], family: string): string[] {
  return statements
    .filter(({ Condition }) => render(Condition ?? {}).includes(`"${family}#*"`))
    .flatMap(({ Action }) => Action)
    .filter((action) => action.startsWith('dynamodb:'))
    .sort();
}

/** Resources that the role may do this to, as text. */
export function listTargets(statements: Statement[], action: string): string[] {
  return statements
    .filter(({ Action }) => Action.includes(action))
    .flatMap(({ Resource }) => Resource.map(render));
}
