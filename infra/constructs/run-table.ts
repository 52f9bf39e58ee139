import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, ProjectionType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Effect, type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Stage } from '../stage-config.ts';

/** First part of a partition key. */
export type ItemFamily = 'RUN' | 'INBOX' | 'ATTEMPT' | 'BOARD' | 'START';

const reading = ['GetItem', 'Query', 'BatchGetItem', 'ConditionCheckItem'];
const putting = ['PutItem'];
const updating = ['UpdateItem'];
const batching = ['BatchWriteItem'];
const changing = ['PutItem', 'UpdateItem'];
const removing = ['PutItem', 'UpdateItem', 'DeleteItem'];

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

  grantRead(grantee: IGrantable, families: readonly ItemFamily[]): void {
    this.grant(grantee, reading, families);
  }

  /** Adds items, such as messages and stop orders. */
  grantPut(grantee: IGrantable, families: readonly ItemFamily[]): void {
    this.grant(grantee, putting, families);
  }

  /** Changes items, such as the generation in the head of a run. */
  grantUpdate(grantee: IGrantable, families: readonly ItemFamily[]): void {
    this.grant(grantee, updating, families);
  }

  /** Adds and removes items in batches. IAM knows no narrower right: who may batch may do both. */
  grantBatch(grantee: IGrantable, families: readonly ItemFamily[]): void {
    this.grant(grantee, batching, families);
  }

  /** Adds and changes items. */
  grantChange(grantee: IGrantable, families: readonly ItemFamily[]): void {
    this.grant(grantee, changing, families);
  }

  /** Adds, changes and removes items. */
  grantRemove(grantee: IGrantable, families: readonly ItemFamily[]): void {
    this.grant(grantee, removing, families);
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

  /** No action without a partition key is ever granted, so that the condition cannot be passed by an absent key. */
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
        },
      }),
    );
  }
}
