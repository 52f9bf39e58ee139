const localHosts = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Nothing of the local stack may ever talk to a real account: any other host is refused. */
export function assertLocalEndpoint(endpoint: string): void {
  const url = URL.parse(endpoint);
  if (url === null) throw new Error(`endpoint: "${endpoint}" is not a URL`);
  if (!localHosts.has(url.hostname)) {
    throw new Error(
      `endpoint: host "${url.hostname}" is not this machine; use https://127.0.0.1:PORT`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new Error('endpoint: a user name or password in the URL is refused; leave it out');
  }
}
