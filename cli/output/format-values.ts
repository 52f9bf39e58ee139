import { renderUsd } from '../../schemas/money.ts';

/** `4.2 s`, `3 min 05 s`, `2 h 07 min`. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${String(minutes)} min ${String(whole % 60).padStart(2, '0')} s`;
  return `${String(Math.floor(minutes / 60))} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** Micro-USD as they come on the wire, as `0.50 USD`. */
export function formatMicroUsd(text: string): string {
  return /^[0-9]{1,18}$/.test(text) ? renderUsd(BigInt(text)) : text;
}

/** The time of day in UTC of an ISO 8601 instant. */
export function formatClock(instant: string): string {
  return instant.slice(11, 19);
}

export function countWords(count: number, singular: string, plural = `${singular}s`): string {
  return `${String(count)} ${count === 1 ? singular : plural}`;
}
