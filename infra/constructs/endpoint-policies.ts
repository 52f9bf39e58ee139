import { Stack } from 'aws-cdk-lib';
import { AnyPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { executorRoutes } from '../../schemas/executor-api.ts';

/** Without a policy an endpoint reaches every account's resources, which would be a way out of the network. */
function allow(actions: string[], resources: string[]): PolicyStatement {
  return new PolicyStatement({ principals: [new AnyPrincipal()], actions, resources });
}

/** Objects of the artifact bucket, and the bucket of AWS from which image layers come. */
export function allowObjects(scope: Construct, bucketArn: string): PolicyStatement[] {
  return [
    allow(['s3:GetObject', 's3:GetObjectVersion', 's3:PutObject'], [`${bucketArn}/*`]),
    allow(['s3:GetObject'], [`arn:${Stack.of(scope).partition}:s3:::${nameLayerBucket(scope)}/*`]),
  ];
}

/** https://docs.aws.amazon.com/AmazonECR/latest/userguide/vpc-endpoints.html */
export function nameLayerBucket(scope: Construct): string {
  return `prod-${Stack.of(scope).region}-starport-layer-bucket`;
}

export function nameRepositories(scope: Construct): string {
  const { partition, region, account } = Stack.of(scope);
  return `arn:${partition}:ecr:${region}:${account}:repository/*`;
}

export const imagePullActions = [
  'ecr:BatchCheckLayerAvailability',
  'ecr:GetDownloadUrlForLayer',
  'ecr:BatchGetImage',
];

export function allowImagePulls(scope: Construct): PolicyStatement[] {
  return [
    allow(['ecr:GetAuthorizationToken'], ['*']),
    allow(imagePullActions, [nameRepositories(scope)]),
  ];
}

export function allowLogStream(logGroupArn: string): PolicyStatement[] {
  return [allow(['logs:CreateLogStream', 'logs:PutLogEvents'], [logGroupArn])];
}

/** The id of the API is left open: its own policy names this endpoint, and each cannot name the other. */
export function allowExecutorRoutes(scope: Construct): PolicyStatement[] {
  const { partition, region, account } = Stack.of(scope);
  const apis = `arn:${partition}:execute-api:${region}:${account}:*`;
  const routes = Object.values(executorRoutes).map((route) => `${apis}/*/POST${route}`);
  return [allow(['execute-api:Invoke'], routes)];
}
