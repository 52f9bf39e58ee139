import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  type EndpointConfiguration,
  LogGroupLogDestination,
  MethodLoggingLevel,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { PolicyDocument } from 'aws-cdk-lib/aws-iam';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

export interface LoggedRestApiProps {
  restApiName: string;
  description: string;
  endpoint: EndpointConfiguration;
  policy?: PolicyDocument;
  requestsPerSecond: number;
  burst: number;
}

/** Who called what and when; neither headers nor bodies, which may hold secrets (p52). */
const accessLog = AccessLogFormat.custom(
  JSON.stringify({
    requestId: '$context.requestId',
    time: '$context.requestTime',
    method: '$context.httpMethod',
    route: '$context.resourcePath',
    status: '$context.status',
    caller: '$context.identity.userArn',
    latencyMilliseconds: '$context.responseLatency',
  }),
);

/** A REST API with an access log and a throttle. The throttle spares the account's quota; it is no security. */
export function createLoggedRestApi(scope: Construct, props: LoggedRestApiProps): RestApi {
  const logGroup = new LogGroup(scope, 'AccessLog', {
    retention: RetentionDays.THREE_MONTHS,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  return new RestApi(scope, 'Api', {
    restApiName: props.restApiName,
    description: props.description,
    endpointConfiguration: props.endpoint,
    ...(props.policy === undefined ? {} : { policy: props.policy }),
    cloudWatchRole: false,
    deployOptions: {
      stageName: 'v1',
      accessLogDestination: new LogGroupLogDestination(logGroup),
      accessLogFormat: accessLog,
      loggingLevel: MethodLoggingLevel.ERROR,
      dataTraceEnabled: false,
      metricsEnabled: true,
      throttlingRateLimit: props.requestsPerSecond,
      throttlingBurstLimit: props.burst,
    },
  });
}
