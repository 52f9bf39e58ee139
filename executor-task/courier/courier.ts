import { carryAttempt } from './carry-attempt.ts';
import { HostEndedError } from './perform-work.ts';
import { RefusedError } from './executor-api-client.ts';
import { logStep, nameError } from './log-step.ts';
import { readSettings, type CourierSettings } from './read-settings.ts';

/**
 * The courier's own program. Exit codes: 0 returned, or told that the attempt is over; 1 broken; 143 ended from outside.
 * The controller decides by what was returned; where nothing was, the code is part of why the task ended.
 */
const exitCodes = { fine: 0, broken: 1, ended: 143 };

function openSettings(): CourierSettings {
  const settings = readSettings(process.env);
  // The ticket has done its work when it was read: nothing that this process starts or dumps shall hold it.
  delete process.env['WINDLASS_CLAIM_TICKET'];
  // The AWS SDK looks for settings at home and fails where the user has none, as in an image without /etc/passwd.
  process.env['HOME'] ??= '/nonexistent';
  return settings;
}

async function runCourier(settings: CourierSettings): Promise<number> {
  const ended = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      ended.abort();
    });
  }
  const { attemptId } = settings;
  try {
    await carryAttempt(settings, ended.signal);
    return exitCodes.fine;
  } catch (error) {
    if (error instanceof RefusedError) {
      logStep(attemptId, 'refused', { code: error.code });
      return exitCodes.fine;
    }
    const byHost = error instanceof HostEndedError || ended.signal.aborted;
    logStep(attemptId, byHost ? 'ended' : 'broken', { name: nameError(error) });
    return byHost ? exitCodes.ended : exitCodes.broken;
  }
}

try {
  process.exit(await runCourier(openSettings()));
} catch (error) {
  // Only the settings can fail here; their error names variables and no values.
  process.stderr.write(`the courier cannot start: ${String(error)}\n`);
  process.exit(exitCodes.broken);
}
