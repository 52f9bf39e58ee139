import {
  functionPlaceholder,
  invoke,
  retryOn,
  shortCallSeconds,
  type State,
} from './lambda-call.ts';

const stopPollSeconds = 2;
/** Five minutes: ECS kills a container at most 120 s after it was told to stop. */
const stopPolls = 150;

const isGroupEnded = '{% $states.input.isGroupEnded = true %}';

/**
 * Fences an attempt, stops what runs of it, and repeats until that is confirmed (p11, p19).
 * `because` is the field of the input that says why: the name of an error, or a cause; never a text
 * that could hold a secret (p52).
 */
export function describeClosing(because: 'error' | 'cause'): Record<string, State> {
  const payload = {
    attemptId: '{% $states.input.attemptId %}',
    [because]: `{% $states.input.${because} %}`,
    ...(because === 'cause' ? { isGroupEnded } : {}),
  };
  const polls = '($exists($states.input.polls) ? $states.input.polls : 0) + 1';
  return {
    Close: {
      Type: 'Task',
      Comment: 'Fences the attempt, stops its task, and settles it once the task is stopped.',
      Resource: invoke,
      Arguments: { FunctionName: functionPlaceholder('closeAttempt'), Payload: payload },
      TimeoutSeconds: shortCallSeconds,
      Output: {
        ...payload,
        polls: `{% ${polls} %}`,
        closed: '{% $states.result.Payload.closed = true %}',
      },
      // Whatever broke it, a closing is harmless to repeat, and nobody else does it at once.
      Retry: [retryOn(['States.TaskFailed', 'States.Timeout'])],
      Next: 'Closed',
    },
    Closed: {
      Type: 'Choice',
      Comment: 'Asks again while the task is still stopping, up to a limit.',
      Choices: [
        { Condition: '{% $states.input.closed %}', Next: 'AttemptClosed' },
        {
          Condition: `{% $states.input.polls >= ${String(stopPolls)} %}`,
          Next: 'StopNotConfirmed',
        },
      ],
      Default: 'WaitForStop',
    },
    WaitForStop: {
      Type: 'Wait',
      Comment: 'Gives the task a moment to stop.',
      Seconds: stopPollSeconds,
      Next: 'Close',
    },
    AttemptClosed: {
      Type: 'Succeed',
      Comment: 'Nothing of the attempt runs any more, and its outcome is set.',
      Output: { attemptId: '{% $states.input.attemptId %}' },
    },
    StopNotConfirmed: {
      Type: 'Fail',
      Comment: 'The task would not stop; an alarm tells the operator and the sweep tries again.',
      Error: 'StopNotConfirmed',
      Cause: 'The Fargate task of the attempt was told to stop and is still not stopped.',
    },
  };
}
