import { idempotencyKey } from '../../schemas/public-api.ts';
import { ProblemError, type RouteCall } from './serve-route.ts';

/** The key under which a call may be repeated. @throws ProblemError */
export function readIdempotencyKey(call: RouteCall): string {
  const key = idempotencyKey.safeParse(call.header('idempotency-key'));
  if (key.success) return key.data;
  throw new ProblemError(
    'IDEMPOTENCY_KEY_MISSING',
    'Send an Idempotency-Key header of 1 to 200 printable ASCII characters, the same for each repetition of this call.',
  );
}
