import { expect } from 'vitest';
import { renderFailureLine, type ArtifactCode } from '../../../cli/artifact/artifact-failure.ts';
import type { Behaviour } from './misbehaving/behaviour.ts';
import { canary, content } from './misbehaving/call.ts';
import { destination } from './misbehaving/send-around.ts';
import type { Played } from './play-behaviour.ts';

/** From the deadline to the SIGKILL that nothing in the group outlives. */
const tidyUpSeconds = 2;
/** From the deadline to the moment when nobody waits any longer for a process that left the group. */
const allowanceSeconds = 5;
/** Starting and ending the command itself on a busy machine. */
const startSeconds = 3;

/** All that must hold however an adapter misbehaved: the code, and nothing else anywhere. */
export function expectFailsClosed(behaviour: Behaviour, played: Played): void {
  const succeeds = behaviour.code === 'ok';
  const line = succeeds ? '' : `${renderFailureLine(behaviour.code as ArtifactCode)}\n`;
  expect({ stderr: played.stderr, status: played.status, signal: played.signal }).toEqual({
    stderr: line,
    status: succeeds ? 0 : 1,
    signal: null,
  });
  if (succeeds) expect(JSON.parse(played.stdout)).toBeTypeOf('object');
  else expect(played.stdout).toBe('');
  expect(played.stdout.toLowerCase()).not.toContain(canary);
  expect(played.left).toEqual(composeLeft(behaviour));
  expect(played.strewn).toEqual([]);
  if (behaviour.mayLeaveProcess !== true) expect(played.survivors).toEqual([]);
  const grace = behaviour.mayLeaveProcess === true ? allowanceSeconds : tidyUpSeconds;
  const latest =
    behaviour.timeoutSeconds === undefined
      ? played.timeoutSeconds / 2
      : behaviour.timeoutSeconds + grace + startSeconds;
  expect(played.elapsedSeconds).toBeLessThan(latest);
}

function composeLeft(behaviour: Behaviour): Record<string, string> {
  const downloads = behaviour.command === 'download' && behaviour.code === 'ok';
  return {
    ...(downloads && { [destination]: content.toString('latin1') }),
    ...behaviour.keeps,
  };
}
