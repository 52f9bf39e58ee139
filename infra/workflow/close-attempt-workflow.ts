import { describeClosing } from './closing-states.ts';
import type { Workflow } from './lambda-call.ts';

/** Started by events, the reducer and the sweep; harmless however often. Input: `{ attemptId, cause, isGroupEnded? }`. */
export function describeCloseAttemptWorkflow(): Workflow {
  return {
    Comment: 'Ends one attempt whose own workflow does not, and confirms that nothing of it runs.',
    QueryLanguage: 'JSONata',
    StartAt: 'Close',
    States: describeClosing('cause'),
  };
}
