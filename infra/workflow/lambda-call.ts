/** A state of the Amazon States Language. https://states-language.net/spec.html */
export type State = Record<string, unknown>;

export interface Workflow {
  Comment: string;
  QueryLanguage: 'JSONata';
  StartAt: string;
  TimeoutSeconds?: number;
  States: Record<string, State>;
}

/** The service failed before or beside the function's own code; calling again is harmless. */
export const lambdaServiceErrors = [
  'Lambda.ServiceException',
  'Lambda.AWSLambdaException',
  'Lambda.SdkClientException',
  'Lambda.ClientExecutionTimeoutException',
  'Lambda.TooManyRequestsException',
];

/** Thrown, or sent with a task token, by our own code. */
export const retryableErrors = ['RetryableError', 'ServiceBusyError'];

/** A call of a function that answers in seconds; longer than the function's own time-out. */
export const shortCallSeconds = 120;

/** About two minutes in all. */
export function retryOn(errors: readonly string[]): State {
  return {
    ErrorEquals: errors,
    IntervalSeconds: 1,
    BackoffRate: 2,
    MaxAttempts: 7,
    MaxDelaySeconds: 30,
    JitterStrategy: 'FULL',
  };
}

/** The time-out of a state: computed from its input, or the longest where it can only be a number. */
export type Timeouts = 'COMPUTED' | 'LONGEST';

export const invoke = 'arn:aws:states:::lambda:invoke';
export const invokeAndWaitForToken = 'arn:aws:states:::lambda:invoke.waitForTaskToken';

/** Placeholder that the deploy replaces by the ARN of a function. */
export function functionPlaceholder(name: string): string {
  return `\${${name}}`;
}
