import { limits } from '../../schemas/limits.ts';
import {
  functionPlaceholder,
  invokeAndWaitForToken,
  lambdaServiceErrors,
  retryableErrors,
  retryOn,
  type Workflow,
} from './lambda-call.ts';

/** A parked call is silent; the heartbeat is a backstop behind the longest time it parks. */
const driveHeartbeatSeconds = limits.parkSeconds + 600;
const driveTimeoutSeconds = limits.parkSeconds + 900;

/** A retry is a later call: a reducer that was given up on must not commit beside its successor. */
const call =
  '($exists($states.input.call) ? $states.input.call : 1) + ' +
  '($exists($states.context.State.RetryCount) ? $states.context.State.RetryCount : 0)';

function passOnRun(next: Record<string, string>): Record<string, string> {
  return {
    runId: '{% $states.input.runId %}',
    board: '{% $states.input.board %}',
    generation: '{% $states.input.generation %}',
    ...next,
  };
}

/** One execution a generation of a run. Input: `{ runId, board, generation }`. */
export function describeRunWorkflow(): Workflow {
  return {
    Comment: 'Drives one run until it has ended or hands over to the next generation.',
    QueryLanguage: 'JSONata',
    StartAt: 'Drive',
    States: {
      Drive: {
        Type: 'Task',
        Comment:
          'Reduces the inbox of the run, starts what is ready, and sleeps until it is woken.',
        Resource: invokeAndWaitForToken,
        Arguments: {
          FunctionName: functionPlaceholder('reduceRun'),
          Payload: passOnRun({
            call: `{% ${call} %}`,
            taskToken: '{% $states.context.Task.Token %}',
          }),
        },
        HeartbeatSeconds: driveHeartbeatSeconds,
        TimeoutSeconds: driveTimeoutSeconds,
        Output: passOnRun({ call: `{% ${call} + 1 %}`, next: '{% $states.result.next %}' }),
        Retry: [retryOn([...lambdaServiceErrors, ...retryableErrors])],
        Catch: [
          {
            ErrorEquals: ['States.Timeout', 'States.HeartbeatTimeout'],
            Output: passOnRun({ call: `{% ${call} + 1 %}` }),
            Next: 'Drive',
          },
        ],
        Next: 'Finished',
      },
      Finished: {
        Type: 'Choice',
        Comment: 'Goes on while the reducer says that there is more to do.',
        Choices: [{ Condition: "{% $states.input.next = 'AGAIN' %}", Next: 'Drive' }],
        Default: 'Ended',
      },
      Ended: {
        Type: 'Succeed',
        Comment: 'The run has ended, or its next generation goes on.',
        Output: passOnRun({ next: '{% $states.input.next %}' }),
      },
    },
  };
}
