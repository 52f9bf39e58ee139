import { limits } from '../../schemas/limits.ts';
import { attemptId, closeOnAnyError, describeAdmitting } from './admitting-state.ts';
import { describeClosing } from './closing-states.ts';
import {
  functionPlaceholder,
  invokeAndWaitForToken,
  lambdaServiceErrors,
  retryOn,
  type Workflow,
} from './lambda-call.ts';

/** The courier reports to the executor API, not to Step Functions: lease and sweep notice its silence. */
const longestSeconds =
  `($exists($states.input.timeoutSeconds) ? $states.input.timeoutSeconds : ` +
  `${String(limits.attemptTimeoutSeconds)}) + ${String(limits.startDeadlineSeconds)}`;

/** One execution an attempt in a Fargate task, named by its id. Input: `{ attemptId, timeoutSeconds? }`. */
export function describeFargateAttemptWorkflow(): Workflow {
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
        HeartbeatSeconds: `{% ${longestSeconds} %}`,
        TimeoutSeconds: `{% ${longestSeconds} + 60 %}`,
        Output: { attemptId },
        Retry: [retryOn(lambdaServiceErrors)],
        Catch: [closeOnAnyError],
        Next: 'Admit',
      },
      Admit: describeAdmitting({ attemptId }),
      ...describeClosing('error'),
    },
  };
}
