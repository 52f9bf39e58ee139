/**
 * The role or user behind a signed call, without the session name: grants are given to roles, not to sessions.
 * An assumed-role ARN does not carry the role's path, so a grant names the role without one.
 * Source: docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html
 */
export function readPrincipal(userArn: string): string {
  const session = /^arn:(aws[a-z-]*):sts::([0-9]{12}):assumed-role\/([^/]+)\/.+$/.exec(userArn);
  if (session === null) return userArn;
  return `arn:${session[1] ?? 'aws'}:iam::${session[2] ?? ''}:role/${session[3] ?? ''}`;
}
