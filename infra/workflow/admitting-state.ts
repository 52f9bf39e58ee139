import {
  functionPlaceholder,
  invoke,
  lambdaServiceErrors,
  retryableErrors,
  retryOn,
  shortCallSeconds,
  type State,
} from './lambda-call.ts';

/** Whatever went wrong, only its name goes on: a cause may quote what the code worked on (p52). */
export const closeOnAnyError: State = {
  ErrorEquals: ['States.ALL'],
  Output: {
    attemptId: '{% $states.input.attemptId %}',
    error: '{% $states.errorOutput.Error %}',
  },
  Next: 'Close',
};

export const attemptId = '{% $states.input.attemptId %}';
/** By these the functions find all they need of an attempt in one reading; they check them against what was prepared. */
export const attemptName = {
  attemptId,
  runId: '{% $states.input.runId %}',
  board: '{% $states.input.board %}',
};

/** The thirteen checks, which every kind of attempt reaches. */
export function describeAdmitting(payload: Record<string, string>): State {
  return {
    Type: 'Task',
    Comment: 'Checks what the attempt returned and sets its outcome.',
    Resource: invoke,
    Arguments: { FunctionName: functionPlaceholder('admitAttempt'), Payload: payload },
    TimeoutSeconds: shortCallSeconds,
    Output: { attemptId },
    Retry: [retryOn([...lambdaServiceErrors, ...retryableErrors])],
    Catch: [closeOnAnyError],
    End: true,
  };
}
