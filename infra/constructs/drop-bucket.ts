import { Duration, Validations } from 'aws-cdk-lib';
import { type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Bucket, type CfnBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { Stage } from '../stage-config.ts';
import { describePrivateBucket } from './private-bucket.ts';
import { acknowledgeWildcard } from './wildcards.ts';

/** Plans come in under `inbox/<board>/`; their answers go out under `outbox/`. Who may write there is the board's authority. */
export class DropBucket extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    this.bucket = new Bucket(this, 'Bucket', {
      ...describePrivateBucket(stage),
      lifecycleRules: [
        {
          abortIncompleteMultipartUploadAfter: Duration.days(1),
          noncurrentVersionExpiration: Duration.days(90),
        },
      ],
    });
    // The L2 property brings a custom resource that may change the notifications of every bucket.
    (this.bucket.node.defaultChild as CfnBucket).notificationConfiguration = {
      eventBridgeConfiguration: { eventBridgeEnabled: true },
    };
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'Every dropped plan becomes a run or a refusal that names its key and version.',
    });
  }

  grantReadPlans(grantee: IGrantable): void {
    this.grant(grantee, ['s3:GetObject', 's3:GetObjectVersion'], 'inbox');
  }

  /** Writes the answer, and sees whether it is written already. */
  grantAnswer(grantee: IGrantable): void {
    this.grant(grantee, ['s3:PutObject', 's3:GetObject'], 'outbox');
  }

  private grant(grantee: IGrantable, actions: string[], folder: 'inbox' | 'outbox'): void {
    grantee.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({ actions, resources: [this.bucket.arnForObjects(`${folder}/*`)] }),
    );
    const reason = 'Teams name the plans that they drop.';
    acknowledgeWildcard(grantee, `<object>/${folder}/*`, reason);
  }
}
