/** What one look found. `fix` says what to do about a fault. */
export type Finding =
  | { what: string; verdict: 'ok' | 'skipped'; detail: string }
  | { what: string; verdict: 'fault'; detail: string; fix: string };

export function finds(what: string, detail: string): Finding {
  return { what, verdict: 'ok', detail };
}

export function skips(what: string, detail: string): Finding {
  return { what, verdict: 'skipped', detail };
}

export function findsFault(what: string, detail: string, fix: string): Finding {
  return { what, verdict: 'fault', detail, fix };
}
