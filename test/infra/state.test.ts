import { Match, type Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { readStatements } from './read-policies.ts';
import { listResources, render, synthesiseStage } from './synthesise-stage.ts';

const deployed = synthesiseStage('deployed').state;
const local = synthesiseStage('local').state;
const stateful = ['AWS::DynamoDB::Table', 'AWS::S3::Bucket', 'AWS::KMS::Key'];

function readBucketPolicies(template: Template) {
  return listResources(template, 'AWS::S3::BucketPolicy').map(([id, { Properties }]) => ({
    id,
    statements: readStatements(Properties['PolicyDocument']),
  }));
}

describe('state', () => {
  it.each(stateful)('outlives its stack when deployed: %s', (type) => {
    const found = listResources(deployed, type);
    expect(found.length).toBeGreaterThan(0);
    for (const [, { DeletionPolicy }] of found) expect(DeletionPolicy).toBe('Retain');
  });

  it.each(stateful)('goes with its stack on one machine: %s', (type) => {
    for (const [, { DeletionPolicy }] of listResources(local, type)) {
      expect(DeletionPolicy).toBe('Delete');
    }
  });

  it('A6 is one table and two buckets: attachments have no store, queue or service of their own', () => {
    const control = synthesiseStage('deployed').control;
    const count = (type: string) =>
      listResources(deployed, type).length + listResources(control, type).length;
    expect(count('AWS::DynamoDB::Table')).toBe(1);
    expect(count('AWS::S3::Bucket')).toBe(2);
    // For events that could not be delivered.
    expect(count('AWS::SQS::Queue')).toBe(1);
    for (const type of ['AWS::ECS::Service', 'AWS::RDS::DBInstance', 'AWS::EC2::Instance']) {
      expect(count(type)).toBe(0);
    }
  });

  it('is a table that cannot be deleted, and can be restored to any second', () => {
    deployed.hasResourceProperties('AWS::DynamoDB::Table', {
      BillingMode: 'PAY_PER_REQUEST',
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    });
  });

  it.each([
    ['sweep', 'gsi1'],
    ['by-board', 'gsi2'],
  ])('has the index %s', (IndexName, attribute) => {
    deployed.hasResourceProperties('AWS::DynamoDB::Table', {
      GlobalSecondaryIndexes: Match.arrayWith([
        {
          IndexName,
          KeySchema: [
            { AttributeName: `${attribute}pk`, KeyType: 'HASH' },
            { AttributeName: `${attribute}sk`, KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ]),
    });
  });

  it('keeps every version of an object, encrypted, and shows none to the public', () => {
    const buckets = listResources(deployed, 'AWS::S3::Bucket');
    expect(buckets).toHaveLength(2);
    for (const [, { Properties }] of buckets) {
      expect(Properties).toMatchObject({
        VersioningConfiguration: { Status: 'Enabled' },
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
      });
      expect(Properties['BucketEncryption']).toBeDefined();
    }
  });

  it('refuses plain HTTP to both buckets', () => {
    const policies = readBucketPolicies(deployed);
    expect(policies).toHaveLength(2);
    for (const { statements } of policies) {
      const denied = statements.find(
        ({ Effect, Action }) => Effect === 'Deny' && Action[0] === 's3:*',
      );
      expect(denied?.Condition).toEqual({ Bool: { 'aws:SecureTransport': 'false' } });
    }
  });

  it('p30 refuses to delete an artifact, to everybody', () => {
    const { statements } = readBucketPolicies(deployed).find(({ id }) =>
      id.startsWith('Artifacts'),
    )!;
    const denied = statements.find(({ Action }) => Action.includes('s3:DeleteObjectVersion'))!;
    expect(denied).toMatchObject({ Effect: 'Deny', Principal: { AWS: '*' } });
    expect(denied.Action).toContain('s3:DeleteObject');
    expect(denied.Condition).toBeUndefined();
  });

  it('p30 refuses to write over what Windlass named, to everybody, and over nothing that a team did', () => {
    const { statements } = readBucketPolicies(deployed).find(({ id }) =>
      id.startsWith('Artifacts'),
    )!;
    const denied = statements.find(({ Action }) => Action.includes('s3:PutObject'))!;
    expect(denied).toMatchObject({
      Effect: 'Deny',
      Principal: { AWS: '*' },
      Action: ['s3:PutObject'],
      Condition: { Null: { 's3:if-none-match': 'true' } },
    });
    const folders = render(denied.Resource).match(/(?<=")\/[^"]*\/\*(?=")/g);
    expect(folders?.sort()).toEqual([
      '/attachments/*',
      '/attempts/*',
      '/evaluations/*',
      '/events/*',
      '/plans/*',
      '/records/*',
      '/responses/*',
      '/returns/*',
      '/uploads/*/sha256/*',
    ]);
  });

  it('tells EventBridge of dropped plans, and of nothing in the artifact bucket', () => {
    const told = listResources(deployed, 'AWS::S3::Bucket')
      .filter(([, { Properties }]) => Properties['NotificationConfiguration'] !== undefined)
      .map(([id]) => id);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/^Drops/);
  });

  it('derives tokens under a key that can do nothing else', () => {
    deployed.hasResourceProperties('AWS::KMS::Key', {
      KeySpec: 'HMAC_256',
      KeyUsage: 'GENERATE_VERIFY_MAC',
    });
  });
});
