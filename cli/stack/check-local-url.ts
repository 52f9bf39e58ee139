import { reportUnreachable } from '../command-failure.ts';

const localHosts = new Set(['127.0.0.1', 'localhost', '[::1]']);

export function isLocalUrl(url: URL): boolean {
  return localHosts.has(url.hostname);
}

/** A local stack's keys and documents never leave this machine: any other host is refused. */
export function checkLocalUrl(what: string, text: string): void {
  const url = URL.parse(text);
  if (url !== null && isLocalUrl(url) && url.username === '' && url.password === '') return;
  throw reportUnreachable(
    `${what} is not on this machine (host: ${url?.hostname ?? 'none'})`,
    'a local stack is https://127.0.0.1:PORT; use --api-url for a deployed one',
  );
}
