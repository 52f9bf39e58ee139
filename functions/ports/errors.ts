/** A broken world that may mend: the caller tries again. Step Functions matches `name`. */
export class RetryableError extends Error {
  override name = 'RetryableError';
}

/** A broken world that no retry mends: it is alarmed. */
export class PermanentError extends Error {
  override name = 'PermanentError';
}

/** Stored bytes that somebody names are not there. */
export class ArtifactMissingError extends PermanentError {
  override name = 'ArtifactMissingError';
  readonly key: string;
  constructor(key: string, options?: ErrorOptions) {
    super(`no stored object ${key}`, options);
    this.key = key;
  }
}

/** Stored bytes do not have the digest that names them. */
export class ArtifactCorruptError extends PermanentError {
  override name = 'ArtifactCorruptError';
  readonly key: string;
  constructor(key: string, options?: ErrorOptions) {
    super(`the stored object ${key} does not have the digest that names it`, options);
    this.key = key;
  }
}

/** A dropped plan is larger than `limits.planBytes`. */
export class PlanTooLargeError extends PermanentError {
  override name = 'PlanTooLargeError';
}

/** The service is throttling or in conflict after all its retries. */
export class ServiceBusyError extends RetryableError {
  override name = 'ServiceBusyError';
}
