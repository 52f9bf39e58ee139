import { RemovalPolicy } from 'aws-cdk-lib';
import {
  BlockPublicAccess,
  BucketEncryption,
  type BucketProps,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import type { Stage } from '../stage-config.ts';

/** What every bucket of ours has: versions, encryption, TLS, one owner, and nobody from outside. */
export function describePrivateBucket(stage: Stage): BucketProps {
  return {
    versioned: true,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    removalPolicy: stage.retainsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  };
}
