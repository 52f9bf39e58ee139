import type { APIGatewayProxyResult } from 'aws-lambda';

/** An answer that no cache keeps: it may hold what the next caller must not see. */
export function renderAnswer(
  statusCode: number,
  contentType: 'application/json' | 'application/problem+json',
  body: unknown,
): APIGatewayProxyResult {
  return {
    statusCode,
    headers: { 'content-type': contentType, 'cache-control': 'no-store' },
    body: JSON.stringify(body),
  };
}
