import { Duration, Validations } from 'aws-cdk-lib';
import { AnyPrincipal, Effect, type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { Stage } from '../stage-config.ts';
import { describePrivateBucket } from './private-bucket.ts';
import { acknowledgeWildcard } from './wildcards.ts';

/** First part of an object's key. */
export type ArtifactFolder = 'uploads' | (typeof writtenOnce)[number];

/** Under `uploads` a team may put files by hand, and a run pins the version that it takes. */
export const writtenOnce = [
  'attachments',
  'attempts',
  'plans',
  'responses',
  'records',
  'returns',
  'events',
  'evaluations',
] as const;

/** Immutable bytes, named by their digest. Nobody and no rule deletes a version: records pin them. */
export class ArtifactBucket extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    this.bucket = new Bucket(this, 'Bucket', {
      ...describePrivateBucket(stage),
      lifecycleRules: [{ abortIncompleteMultipartUploadAfter: Duration.days(1) }],
    });
    this.bucket.addToResourcePolicy(
      new PolicyStatement({
        sid: 'NothingIsDeleted',
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: ['s3:DeleteObject', 's3:DeleteObjectVersion'],
        resources: [this.bucket.arnForObjects('*')],
      }),
    );
    // Parts of a multipart upload carry no such header, so it is refused as a whole: these objects are written in one part.
    // https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes-enforce.html
    this.bucket.addToResourcePolicy(
      new PolicyStatement({
        sid: 'NothingIsWrittenOver',
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: ['s3:PutObject'],
        // Last the uploads that the API names by their digest.
        resources: [...writtenOnce, 'uploads/*/sha256'].map((folder) =>
          this.bucket.arnForObjects(`${folder}/*`),
        ),
        conditions: { Null: { 's3:if-none-match': 'true' } },
      }),
    );
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'Who wrote which object is in the log of runs; access logs would be a second, unhashed copy.',
    });
  }

  /** Reads, presigns and measures objects of any version. */
  grantRead(grantee: IGrantable, folders: readonly ArtifactFolder[]): void {
    this.grant(grantee, ['s3:GetObject', 's3:GetObjectVersion'], folders);
    // Without it S3 answers 403 instead of 404 for an object that is missing.
    grantee.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({
        actions: ['s3:ListBucket'],
        resources: [this.bucket.bucketArn],
        conditions: { StringLike: { 's3:prefix': folders.map((folder) => `${folder}/*`) } },
      }),
    );
  }

  /** Creates objects. The bucket demands of each request that its key is free (`If-None-Match`), but for files put by hand. */
  grantWrite(grantee: IGrantable, folders: readonly ArtifactFolder[]): void {
    this.grant(grantee, ['s3:PutObject'], folders);
  }

  private grant(
    grantee: IGrantable,
    actions: readonly string[],
    folders: readonly ArtifactFolder[],
  ): void {
    grantee.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({
        actions: [...actions],
        resources: folders.map((folder) => this.bucket.arnForObjects(`${folder}/*`)),
      }),
    );
    for (const folder of folders) {
      const reason = 'Objects are named by their digests, so a right names the folder.';
      acknowledgeWildcard(grantee, `<object>/${folder}/*`, reason);
    }
  }
}
