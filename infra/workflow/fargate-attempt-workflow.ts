import { limits } from '../../schemas/limits.ts';
import { attemptId, attemptName, closeOnAnyError, describeAdmitting } from './admitting-state.ts';
import { describeClosing } from './closing-states.ts';
import {
  functionPlaceholder,
  invokeAndWaitForToken,
  lambdaServiceErrors,
  retryableErrors,
  retryOn,
  type Timeouts,
  type Workflow,
} from './lambda-call.ts';

/** The courier reports to the executor API, not to Step Functions: lease and sweep notice its silence. */
const longestSeconds = limits.attemptTimeoutSeconds + limits.startDeadlineSeconds;
const seconds =
  `($exists($states.input.timeoutSeconds) ? $states.input.timeoutSeconds : ` +
  `${String(limits.attemptTimeoutSeconds)}) + ${String(limits.startDeadlineSeconds)}`;
const graceSeconds = 60;

/** One execution an attempt in a Fargate task, named by its id. Input: `{ attemptId, runId, board, timeoutSeconds? }`. */
export function describeFargateAttemptWorkflow(timeouts: Timeouts): Workflow {
  const isComputed = timeouts === 'COMPUTED';
  return {
    Comment: 'Runs one attempt in a Fargate task and admits what it returned.',
    QueryLanguage: 'JSONata',
    StartAt: 'Run',
    States: {
      Run: {
        Type: 'Task',
        Comment: 'Starts the Fargate task and waits until its courier has submitted.',
        Resource: invokeAndWaitForToken,
        Arguments: {
          FunctionName: functionPlaceholder('launchAttempt'),
          Payload: { attemptId, taskToken: '{% $states.context.Task.Token %}' },
        },
        HeartbeatSeconds: isComputed ? `{% ${seconds} %}` : longestSeconds,
        TimeoutSeconds: isComputed
          ? `{% ${seconds} + ${String(graceSeconds)} %}`
          : longestSeconds + graceSeconds,
        Output: attemptName,
        Retry: [retryOn([...lambdaServiceErrors, ...retryableErrors])],
        Catch: [closeOnAnyError],
        Next: 'Admit',
      },
      Admit: describeAdmitting(attemptName),
      ...describeClosing('error'),
    },
  };
}
