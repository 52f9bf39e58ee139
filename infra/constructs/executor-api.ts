import { Validations } from 'aws-cdk-lib';
import {
  AuthorizationType,
  EndpointType,
  LambdaIntegration,
  type RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { InterfaceVpcEndpoint } from 'aws-cdk-lib/aws-ec2';
import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { executorRoutes } from '../../schemas/executor-api.ts';
import type { Stage } from '../stage-config.ts';
import type { ControllerFunction } from './controller-function.ts';
import type { CourierFunctions } from './courier-functions.ts';
import { createLoggedRestApi } from './rest-api.ts';

export interface ExecutorApiProps {
  stage: Stage;
  functions: CourierFunctions;
  /** The one way in; undefined: there is none. */
  endpoint: InterfaceVpcEndpoint | undefined;
}

/**
 * What couriers call. A Fargate task has no role to sign with: the network decides who can reach
 * it, and the ticket or session key of an attempt who is heard.
 */
export class ExecutorApi extends Construct {
  readonly api: RestApi;

  constructor(scope: Construct, id: string, props: ExecutorApiProps) {
    super(scope, id);
    const { stage, functions, endpoint } = props;
    this.api = createLoggedRestApi(this, {
      restApiName: `${stage.prefix}-executor-api`,
      description: 'Claims, heartbeats and responses of attempts',
      endpoint: {
        types: [EndpointType.PRIVATE],
        ...(endpoint === undefined ? {} : { vpcEndpoints: [endpoint] }),
      },
      ...(stage.knows('SOURCE_VPCE_CONDITION') ? { policy: describePolicy(endpoint) } : {}),
      requestsPerSecond: 500,
      burst: 1000,
    });
    const routes: Record<keyof typeof executorRoutes, ControllerFunction> = functions;
    for (const [name, route] of Object.entries(executorRoutes)) {
      const target = routes[name as keyof typeof executorRoutes];
      this.api.root
        .resourceForPath(route)
        .addMethod(
          'POST',
          new LambdaIntegration(target.function, { proxy: true, allowTestInvoke: false }),
          { authorizationType: AuthorizationType.NONE },
        );
    }
    this.acknowledgeRules();
  }

  private acknowledgeRules(): void {
    const secrets = 'A claim ticket or session key, compared in constant time, opens each route.';
    Validations.of(this.api).acknowledge(
      { id: 'AwsSolutions-APIG4', reason: secrets },
      {
        id: 'AwsSolutions-APIG3',
        reason: 'The API is private: only tasks of the isolated network reach it.',
      },
      { id: 'AwsSolutions-COG4', reason: secrets },
      {
        id: 'AwsSolutions-APIG2',
        reason: 'Bodies are parsed strictly by the functions, which must record a malformed one.',
      },
    );
  }
}

/** Denies whoever does not come through the endpoint, and allows who does. */
function describePolicy(endpoint: InterfaceVpcEndpoint | undefined): PolicyDocument {
  const every = {
    principals: [new AnyPrincipal()],
    actions: ['execute-api:Invoke'],
    resources: ['execute-api:/*'],
  };
  if (endpoint === undefined) {
    return new PolicyDocument({
      statements: [new PolicyStatement({ effect: Effect.DENY, ...every })],
    });
  }
  const source = { 'aws:SourceVpce': endpoint.vpcEndpointId };
  return new PolicyDocument({
    statements: [
      new PolicyStatement({
        effect: Effect.DENY,
        ...every,
        conditions: { StringNotEquals: source },
      }),
      new PolicyStatement({ ...every, conditions: { StringEquals: source } }),
    ],
  });
}
