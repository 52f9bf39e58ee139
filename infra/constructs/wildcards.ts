import { Stack, Validations } from 'aws-cdk-lib';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';

/**
 * Says why a wildcard that a grant adds to a role is no wider than it must be.
 * `resource` is as cdk-nag prints it, with `<object>` for the ARN of a bucket of the other stack.
 */
export function acknowledgeWildcard(grantee: IGrantable, resource: string, reason: string): void {
  const principal: unknown = grantee.grantPrincipal;
  if (!Construct.isConstruct(principal)) return;
  const flat = flatten(Stack.of(principal).resolve(resource));
  Validations.of(principal).acknowledge({ id: `AwsSolutions-IAM5[Resource::${flat}]`, reason });
}

interface Joined {
  'Fn::Join': [string, (string | { Ref: string })[]];
}

/** As cdk-nag flattens it: each reference in angle brackets. */
function flatten(resolved: unknown): string {
  if (typeof resolved === 'string') return resolved;
  const [separator, parts] = (resolved as Joined)['Fn::Join'];
  return parts.map((part) => (typeof part === 'string' ? part : `<${part.Ref}>`)).join(separator);
}
