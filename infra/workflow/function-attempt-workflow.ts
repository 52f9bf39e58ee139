import { attemptName, closeOnAnyError, describeAdmitting } from './admitting-state.ts';
import { describeClosing } from './closing-states.ts';
import {
  functionPlaceholder,
  invoke,
  lambdaServiceErrors,
  retryOn,
  type State,
  type Timeouts,
  type Workflow,
} from './lambda-call.ts';

/** A Lambda function ends after 900 s; the state waits for its answer a little longer. */
const longestFunctionSeconds = 910;
const timeoutSeconds =
  `($exists($states.input.timeoutSeconds) and ` +
  `$states.input.timeoutSeconds < ${String(longestFunctionSeconds)}) ? ` +
  `$states.input.timeoutSeconds : ${String(longestFunctionSeconds)}`;

/** One execution an attempt of a level-1 executor, named by its id. Input: `{ attemptId, runId, board, timeoutSeconds? }`. */
export function describeFunctionAttemptWorkflow(timeouts: Timeouts): Workflow {
  return {
    Comment: 'Runs one attempt of a function and admits what it returned.',
    QueryLanguage: 'JSONata',
    StartAt: 'Run',
    States: describeFunctionAttempt(timeouts),
  };
}

/** From Run on, for an input that names one attempt. */
export function describeFunctionAttempt(timeouts: Timeouts): Record<string, State> {
  return {
    Run: {
      Type: 'Task',
      Comment: 'Calls the function with the prepared request of the attempt.',
      Resource: invoke,
      Arguments: { FunctionName: functionPlaceholder('runFunction'), Payload: attemptName },
      TimeoutSeconds: timeouts === 'COMPUTED' ? `{% ${timeoutSeconds} %}` : longestFunctionSeconds,
      Output: { ...attemptName, returned: '{% $states.result.Payload %}' },
      Retry: [retryOn(lambdaServiceErrors)],
      Catch: [closeOnAnyError],
      Next: 'Admit',
    },
    Admit: describeAdmitting({ ...attemptName, returned: '{% $states.input.returned %}' }),
    ...describeClosing('error'),
  };
}
