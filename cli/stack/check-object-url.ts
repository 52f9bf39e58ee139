import { reportUnreachable } from '../command-failure.ts';
import { checkLocalUrl, isLocalUrl } from './check-local-url.ts';
import type { Target } from './choose-target.ts';

/**
 * The presigned URL of an object, when bytes may go there: on this machine for a local stack, by TLS for a deployed
 * one. The URL is a secret, so no message repeats it.
 */
export function checkObjectUrl(target: Target, text: string): URL {
  const url = new URL(text);
  if (target.local !== undefined) {
    checkLocalUrl('the address for a file', text);
    return url;
  }
  const plainAllowed = isLocalUrl(new URL(target.apiUrl));
  if (url.protocol === 'https:' || (plainAllowed && isLocalUrl(url))) return url;
  throw reportUnreachable(
    'the API named an address for a file that is not https',
    'report it to whoever deployed this API',
  );
}
