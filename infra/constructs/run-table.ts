import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, ProjectionType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Effect, type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Stage } from '../stage-config.ts';

/** First part of a partition key. */
export type ItemFamily =
  'RUN' | 'INBOX' | 'ATTEMPT' | 'BOARD' | 'START' | 'TASK' | 'ATTACHMENT' | 'COUNTER';

/** The one table: logs of runs, attempts, boards. Grants name the families of items, never the table. */
export class RunTable extends Construct {
  private readonly table: Table;

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    this.table = new Table(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: stage.retainsData,
      removalPolicy: stage.retainsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    this.addKeysOnlyIndex('sweep', 'gsi1');
    this.addKeysOnlyIndex('by-board', 'gsi2');
  }

  get tableName(): string {
    return this.table.tableName;
  }

  /** Reads items by their whole keys. */
  grantRead(grantee: IGrantable, families: readonly ItemFamily[]): void {
    this.grant(grantee, ['GetItem', 'BatchGetItem'], families);
  }

  /** Reads what lies under a partition key, such as the log of a run, without knowing each item. */
  grantQuery(grantee: IGrantable, families: readonly ItemFamily[]): void {
    this.grant(grantee, ['Query'], families);
  }

  /** Makes a transaction depend on items that it does not write. */
  grantCheck(grantee: IGrantable, families: readonly ItemFamily[]): void {
    this.grant(grantee, ['ConditionCheckItem'], families);
  }

  /** Adds items, such as messages and stop orders; IAM knows no right to add that cannot also replace. */
  grantPut(grantee: IGrantable, families: readonly ItemFamily[]): void {
    this.grant(grantee, ['PutItem'], families);
  }

  /** Changes items, such as the generation in the head of a run. */
  grantUpdate(grantee: IGrantable, families: readonly ItemFamily[]): void {
    this.grant(grantee, ['UpdateItem'], families);
  }

  /** Adds and removes items in batches. IAM knows no narrower right: who may batch may do both. */
  grantBatch(grantee: IGrantable, families: readonly ItemFamily[]): void {
    this.grant(grantee, ['BatchWriteItem'], families);
  }

  grantRemove(grantee: IGrantable, families: readonly ItemFamily[]): void {
    this.grant(grantee, ['DeleteItem'], families);
  }

  grantList(grantee: IGrantable, index: 'sweep' | 'by-board'): void {
    grantee.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({
        actions: ['dynamodb:Query'],
        resources: [`${this.table.tableArn}/index/${index}`],
      }),
    );
  }

  private addKeysOnlyIndex(indexName: string, attribute: string): void {
    this.table.addGlobalSecondaryIndex({
      indexName,
      partitionKey: { name: `${attribute}pk`, type: AttributeType.STRING },
      sortKey: { name: `${attribute}sk`, type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    });
  }

  /** `ForAllValues` holds for a call without a partition key, such as Scan, so that there is one is demanded beside it. */
  private grant(
    grantee: IGrantable,
    actions: readonly string[],
    families: readonly ItemFamily[],
  ): void {
    grantee.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({
        effect: Effect.ALLOW,
        actions: actions.map((action) => `dynamodb:${action}`),
        resources: [this.table.tableArn],
        conditions: {
          'ForAllValues:StringLike': {
            'dynamodb:LeadingKeys': families.map((family) => `${family}#*`),
          },
          Null: { 'dynamodb:LeadingKeys': 'false' },
        },
      }),
    );
  }
}
