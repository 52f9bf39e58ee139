import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';

export const sessionArn = 'arn:aws:sts::000000000000:assumed-role/team-documents/ana';
export const roleArn = 'arn:aws:iam::000000000000:role/team-documents';

/** A signed call as API Gateway hands it to a Lambda. */
export function composeApiEvent(changes: Partial<APIGatewayProxyEvent> = {}): APIGatewayProxyEvent {
  return {
    httpMethod: 'POST',
    resource: '/boards/{board}/runs',
    path: '/boards/harbour/runs',
    pathParameters: { board: 'harbour' },
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    stageVariables: null,
    headers: { 'Idempotency-Key': 'key' },
    multiValueHeaders: {},
    body: null,
    isBase64Encoded: false,
    requestContext: { identity: { userArn: sessionArn } } as APIGatewayProxyEvent['requestContext'],
    ...changes,
  };
}

type Served = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** Calls a handler; its answer with the body parsed. */
export async function callRoute(handler: unknown, event: APIGatewayProxyEvent) {
  const answer = await (handler as Served)(event, {} as Context);
  const body = JSON.parse(answer.body) as Record<string, unknown>;
  return { ...answer, body };
}
