/** Aborts that many milliseconds after the signal does. */
export function delayAbort(signal: AbortSignal, milliseconds: number): AbortSignal {
  const later = new AbortController();
  const arm = (): void => {
    setTimeout(() => {
      later.abort();
    }, milliseconds).unref();
  };
  if (signal.aborted) arm();
  else signal.addEventListener('abort', arm, { once: true });
  return later.signal;
}
