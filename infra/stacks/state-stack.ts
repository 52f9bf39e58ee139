import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ArtifactBucket } from '../constructs/artifact-bucket.ts';
import { DropBucket } from '../constructs/drop-bucket.ts';
import { RunTable } from '../constructs/run-table.ts';
import { TokenKey } from '../constructs/token-key.ts';
import type { Stage } from '../stage-config.ts';

/** What must outlive every deploy: logs of runs, artifacts, the key of their tokens. */
export class StateStack extends Stack {
  readonly table: RunTable;
  readonly artifacts: ArtifactBucket;
  readonly drops: DropBucket;
  readonly tokenKey: TokenKey;

  constructor(scope: Construct, id: string, stage: Stage, props?: StackProps) {
    super(scope, id, { ...props, terminationProtection: stage.retainsData });
    this.table = new RunTable(this, 'RunTable', stage);
    this.artifacts = new ArtifactBucket(this, 'Artifacts', stage);
    this.drops = new DropBucket(this, 'Drops', stage);
    this.tokenKey = new TokenKey(this, 'TokenKey', stage);
    new CfnOutput(this, 'TableName', { value: this.table.tableName });
    new CfnOutput(this, 'ArtifactBucket', { value: this.artifacts.bucket.bucketName });
    new CfnOutput(this, 'DropBucket', { value: this.drops.bucket.bucketName });
  }
}
