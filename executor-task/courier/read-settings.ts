import { z } from 'zod';
import { token } from '../../schemas/executor-request.ts';
import { attemptId } from '../../schemas/ids.ts';
import { isGuardedUrl } from './is-guarded-url.ts';

const settings = z.object({
  WINDLASS_ATTEMPT_ID: attemptId,
  WINDLASS_CLAIM_TICKET: token,
  /** With TLS, unless it is this very machine: the ticket goes there. */
  WINDLASS_EXECUTOR_API: z.url().refine((url) => URL.canParse(url) && isGuardedUrl(url)),
  WINDLASS_EXCHANGE: z.string().startsWith('/'),
});

export interface CourierSettings {
  attemptId: string;
  claimTicket: string;
  executorApi: string;
  exchange: string;
}

/** What the task definition and its one override give. The refusal names variables, never their values. */
export function readSettings(environment: Record<string, string | undefined>): CourierSettings {
  const parsed = settings.safeParse(environment);
  if (!parsed.success) {
    const names = parsed.error.issues.map((issue) => issue.path.join('.'));
    throw new Error(`missing or malformed in the environment: ${names.join(', ')}`);
  }
  return {
    attemptId: parsed.data.WINDLASS_ATTEMPT_ID,
    claimTicket: parsed.data.WINDLASS_CLAIM_TICKET,
    executorApi: parsed.data.WINDLASS_EXECUTOR_API.replace(/\/+$/, ''),
    exchange: parsed.data.WINDLASS_EXCHANGE.replace(/\/+$/, ''),
  };
}
