export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string;
  expiresAt: string;
}

/** Credentials that can create objects under one attempt's own prefix and nothing else, for at most an hour. */
export interface AttemptCredentials {
  issue(attemptId: string): Promise<Credentials>;
}
