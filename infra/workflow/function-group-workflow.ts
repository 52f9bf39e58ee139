import { limits } from '../../schemas/limits.ts';
import { describeFunctionAttempt } from './function-attempt-workflow.ts';
import {
  functionPlaceholder,
  invoke,
  lambdaServiceErrors,
  retryableErrors,
  retryOn,
  shortCallSeconds,
  type State,
  type Timeouts,
  type Workflow,
} from './lambda-call.ts';

const run = { runId: '{% $states.input.runId %}', board: '{% $states.input.board %}' };
const group = { ...run, attemptIds: '{% $states.input.attemptIds %}' };

/** Nothing of a group is lost with it: whatever breaks the two common calls, each attempt then has calls of its own. */
const runAloneOnAnyError: State = {
  ErrorEquals: ['States.ALL'],
  Output: { ...run, alone: '{% $states.input.attemptIds %}' },
  Next: 'RunAlone',
};

const names =
  "[$states.input.alone.{'attemptId': $, 'runId': $states.input.runId, 'board': $states.input.board}]";

/** One execution a group of quick attempts, named by the first of them. Input: `{ runId, board, attemptIds }`. */
export function describeFunctionGroupWorkflow(timeouts: Timeouts): Workflow {
  return {
    Comment: 'Runs several attempts of quick functions together and admits what they returned.',
    QueryLanguage: 'JSONata',
    StartAt: 'RunTogether',
    States: {
      RunTogether: {
        Type: 'Task',
        Comment: 'Calls the functions of all attempts of the group, one call for all.',
        Resource: invoke,
        Arguments: { FunctionName: functionPlaceholder('runFunction'), Payload: group },
        TimeoutSeconds: limits.groupTimeoutSeconds,
        Output: { ...group, returnsSha256: '{% $states.result.Payload.returnsSha256 %}' },
        Retry: [retryOn(lambdaServiceErrors)],
        Catch: [runAloneOnAnyError],
        Next: 'AdmitTogether',
      },
      AdmitTogether: {
        Type: 'Task',
        Comment: 'Checks each return by itself and sets their outcomes in one transaction.',
        Resource: invoke,
        Arguments: {
          FunctionName: functionPlaceholder('admitAttempt'),
          Payload: { ...group, returnsSha256: '{% $states.input.returnsSha256 %}' },
        },
        TimeoutSeconds: shortCallSeconds,
        Output: { ...run, alone: '{% $states.result.Payload.alone %}' },
        Retry: [retryOn([...lambdaServiceErrors, ...retryableErrors])],
        Catch: [runAloneOnAnyError],
        Next: 'RunAlone',
      },
      RunAlone: {
        Type: 'Map',
        Comment:
          'Runs each attempt by itself that the group did not settle; usually there is none.',
        Items: `{% ${names} %}`,
        MaxConcurrency: limits.groupAttempts,
        ItemProcessor: { StartAt: 'Run', States: describeFunctionAttempt(timeouts) },
        Output: run,
        End: true,
      },
    },
  };
}
