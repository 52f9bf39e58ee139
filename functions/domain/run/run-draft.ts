import type { RunEvent } from '../../../schemas/run-event.ts';
import { evolve } from './evolve.ts';
import type { RunState } from './run-state.ts';

/** The events of a commit in the making; each one is folded in at once, so that the next decision sees it. */
export interface RunDraft {
  readonly state: RunState;
  readonly events: RunEvent[];
  /** The group that the next attempt of a quick function joins. */
  openGroup: OpenGroup | undefined;
}

export interface OpenGroup {
  first: string;
  timeoutSeconds: number;
  size: number;
}

export function openDraft(state: RunState): RunDraft {
  return { state, events: [], openGroup: undefined };
}

export function appendEvent(draft: RunDraft, event: RunEvent): void {
  evolve(draft.state, event);
  draft.events.push(event);
}
