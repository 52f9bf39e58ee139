import { Duration } from 'aws-cdk-lib';
import { ArnPrincipal, CompositePrincipal, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { limits } from '../../schemas/limits.ts';
import type { ArtifactBucket } from './artifact-bucket.ts';
import type { ControllerFunction } from './controller-function.ts';

/** What the credentials of an attempt can do at most; the session policy of each leaves its own prefix (p53). */
export class AttemptRole extends Construct {
  readonly role: Role;

  constructor(
    scope: Construct,
    id: string,
    artifacts: ArtifactBucket,
    issuers: readonly ControllerFunction[],
  ) {
    super(scope, id);
    this.role = new Role(this, 'Role', {
      description: 'Assumed for one attempt at a time, under a session policy for its own prefix',
      assumedBy: new CompositePrincipal(
        ...issuers.map((issuer) => new ArnPrincipal(issuer.role.roleArn)),
      ),
      maxSessionDuration: Duration.seconds(limits.credentialSeconds),
    });
    artifacts.grantWrite(this.role, ['attempts']);
    for (const issuer of issuers) {
      issuer.role.addToPrincipalPolicy(
        new PolicyStatement({ actions: ['sts:AssumeRole'], resources: [this.role.roleArn] }),
      );
    }
  }
}
