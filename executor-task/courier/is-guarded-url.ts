/** Whether what is sent there stays secret: TLS, or this very machine. */
export function isGuardedUrl(text: string): boolean {
  const { protocol, hostname } = new URL(text);
  if (protocol === 'https:') return true;
  return protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
}
