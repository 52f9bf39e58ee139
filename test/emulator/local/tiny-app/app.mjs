// The smallest app with what the local stack has to deploy: a bundle, a role, an API, an output.
import path from 'node:path';
import { App, CfnOutput, Stack } from 'aws-cdk-lib';
import { AuthorizationType, LambdaRestApi } from 'aws-cdk-lib/aws-apigateway';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';

const stack = new Stack(new App(), 'tiny');
const handler = new LambdaFunction(stack, 'Answer', {
  runtime: Runtime.NODEJS_22_X,
  handler: 'index.handler',
  code: Code.fromAsset(path.join(import.meta.dirname, 'lambda')),
});
new LambdaRestApi(stack, 'Api', {
  handler,
  cloudWatchRole: false,
  defaultMethodOptions: { authorizationType: AuthorizationType.IAM },
});
new CfnOutput(stack, 'FunctionName', { value: handler.functionName });
new CfnOutput(stack, 'Stage', { value: stack.node.tryGetContext('stage') });
