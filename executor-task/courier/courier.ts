import { carryAttempt } from './carry-attempt.ts';
import { RefusedError } from './executor-api-client.ts';
import { logStep } from './log-step.ts';
import { readSettings } from './read-settings.ts';

/** Exit codes: 0 returned or told that the attempt is over, 1 broken. The controller decides by what was returned. */
const settings = readSettings(process.env);
// The ticket has done its work when it was read: nothing that this process starts or dumps shall hold it.
delete process.env['WINDLASS_CLAIM_TICKET'];

const ended = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    ended.abort();
  });
}

try {
  await carryAttempt(settings, ended.signal);
  process.exitCode = 0;
} catch (error) {
  const refused = error instanceof RefusedError;
  logStep(settings.attemptId, refused ? 'refused' : 'broken', {
    name: error instanceof Error ? error.name : 'unknown',
    code: refused ? error.code : '',
  });
  process.exitCode = refused ? 0 : 1;
}
