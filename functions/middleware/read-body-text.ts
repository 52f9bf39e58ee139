import type { APIGatewayProxyEvent } from 'aws-lambda';

/** The body as it was sent, before API Gateway encoded it; undefined without one. */
export function readBodyText(event: APIGatewayProxyEvent): string | undefined {
  if (event.body === null || event.body === '') return undefined;
  return event.isBase64Encoded ? Buffer.from(event.body, 'base64').toString('utf8') : event.body;
}
