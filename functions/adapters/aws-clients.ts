import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ECSClient } from '@aws-sdk/client-ecs';
import { KMSClient } from '@aws-sdk/client-kms';
import { S3Client } from '@aws-sdk/client-s3';
import { SFNClient } from '@aws-sdk/client-sfn';
import { STSClient } from '@aws-sdk/client-sts';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** The part of the environment that the clients read; everything else about AWS the SDK reads by itself. */
export interface AwsEnvironment {
  readonly AWS_REGION?: string | undefined;
  readonly AWS_ENDPOINT_URL?: string | undefined;
  readonly AWS_ENDPOINT_URL_S3?: string | undefined;
  /** `1` addresses buckets in the path, `0` in the host name; found out from the endpoint unless set. */
  readonly WINDLASS_S3_PATH_STYLE?: string | undefined;
}

const connectionTimeoutMilliseconds = 2_000;
const requestTimeoutMilliseconds = 10_000;
const dynamodbTimeoutMilliseconds = 3_000;
const tries = 4;

/** One client a service and process: each keeps its connections open. One function a service, so that a bundle holds what it uses. */
export function createDocumentClient(env: AwsEnvironment = process.env): DynamoDBDocumentClient {
  return DynamoDBDocumentClient.from(
    new DynamoDBClient(describeClient(env, dynamodbTimeoutMilliseconds)),
    { marshallOptions: { removeUndefinedValues: true } },
  );
}

/** For calls; it adds checksums wherever S3 takes them. */
export function createS3Client(env: AwsEnvironment = process.env): S3Client {
  return new S3Client({ ...describeClient(env), forcePathStyle: choosesPathStyle(env) });
}

/** For presigning only: a checksum that the SDK adds by itself would be that of an empty body. */
export function createS3Presigner(env: AwsEnvironment = process.env): S3Client {
  return new S3Client({
    ...describeClient(env),
    forcePathStyle: choosesPathStyle(env),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

export function createStepFunctionsClient(env: AwsEnvironment = process.env): SFNClient {
  return new SFNClient(describeClient(env));
}

export function createEcsClient(env: AwsEnvironment = process.env): ECSClient {
  return new ECSClient(describeClient(env));
}

export function createStsClient(env: AwsEnvironment = process.env): STSClient {
  return new STSClient(describeClient(env));
}

export function createKmsClient(env: AwsEnvironment = process.env): KMSClient {
  return new KMSClient(describeClient(env));
}

/** Host-name addressing needs a resolver that knows `<bucket>.<host>`; a local endpoint has none. */
export function choosesPathStyle(env: AwsEnvironment): boolean {
  if (env.WINDLASS_S3_PATH_STYLE !== undefined) return env.WINDLASS_S3_PATH_STYLE === '1';
  const endpoint = env.AWS_ENDPOINT_URL_S3 ?? env.AWS_ENDPOINT_URL;
  if (endpoint === undefined) return false;
  const { hostname } = new URL(endpoint);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.[0-9.]+$/.test(hostname);
}

function describeClient(env: AwsEnvironment, requestTimeout = requestTimeoutMilliseconds) {
  return {
    ...(env.AWS_REGION === undefined ? {} : { region: env.AWS_REGION }),
    maxAttempts: tries,
    retryMode: 'standard',
    requestHandler: {
      connectionTimeout: connectionTimeoutMilliseconds,
      requestTimeout,
      throwOnRequestTimeout: true,
      httpsAgent: { keepAlive: true, maxSockets: 64 },
    },
  } as const;
}
