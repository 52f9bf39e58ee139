import type { RunEvent } from '../../../schemas/run-event.ts';
import type { RunMessage } from '../../../schemas/run-message.ts';
import type { RunState } from './run-state.ts';

/** What the message means for the run; changes nothing. @throws UndecidableMessageError: the shell quarantines it. */
export function decide(state: RunState, message: RunMessage, now: string): RunEvent[] {
  throw new Error(`not written: ${state.runId} ${message.type} ${now}`);
}
