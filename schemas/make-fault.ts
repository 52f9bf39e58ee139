import { cutText } from './cut-text.ts';
import type { Fault } from './problem.ts';

export type PathStep = string | number;

const shownCharacters = 200;

/**
 * A fault at a place of the document; the value is shown as JSON, cut. `message` is a clause without a capital and a full
 * stop, `fix` a sentence that says what to write.
 */
export function makeFault(
  path: readonly PathStep[],
  value: unknown,
  said: { code: string; message: string; fix: string },
): Fault {
  return { path: renderPointer(path), value: showValue(value), ...said };
}

/** The value at the path; undefined where the path leads nowhere. */
export function readPath(document: unknown, path: readonly PathStep[]): unknown {
  let value = document;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) {
      return undefined;
    }
    value = (value as Record<PathStep, unknown>)[step];
  }
  return value;
}

/** RFC 6901. */
export function renderPointer(path: readonly PathStep[]): string {
  return path
    .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

function showValue(value: unknown): string {
  return cutText(renderSafely(value), shownCharacters);
}

/** A bad value may be anything that a YAML parser or a caller makes, a ring of objects included. */
function renderSafely(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number') return String(value);
  try {
    return JSON.stringify(value);
  } catch {
    return `a ${typeof value} without a JSON form`;
  }
}
