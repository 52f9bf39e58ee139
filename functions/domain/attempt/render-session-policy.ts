/**
 * The session policy of an attempt's credentials: they create objects under the attempt's own prefix and do nothing
 * else. Its size does not depend on the attempt. That they write none twice is for the bucket's policy (`s3:if-none-match`).
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies.html#policies_session
 */
export function renderSessionPolicy(bucket: string, attemptId: string): string {
  return JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Action: 's3:PutObject',
        Resource: `arn:aws:s3:::${bucket}/attempts/${attemptId}/sha256/*`,
      },
    ],
  });
}
