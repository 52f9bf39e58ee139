import { parseDocument } from 'yaml';
import type { Fault } from '../../../schemas/problem.ts';

/** Aliases that one plan may expand; a few kilobytes of nested aliases would otherwise grow to gigabytes. */
const aliasCount = 100;

/** Reads YAML 1.2 or JSON. A fault says where the text stops being either. */
export function parsePlanText(
  text: string,
): { kind: 'PARSED'; document: unknown } | { kind: 'REFUSED'; faults: Fault[] } {
  const parsed = parseDocument(text, { uniqueKeys: true, prettyErrors: true });
  const faults = parsed.errors.map((error) => nameFault(text, error.message, error.linePos?.[0]));
  if (faults.length > 0) return { kind: 'REFUSED', faults };
  try {
    return { kind: 'PARSED', document: parsed.toJS({ maxAliasCount: aliasCount }) as unknown };
  } catch (error) {
    return { kind: 'REFUSED', faults: [nameFault(text, String(error), undefined)] };
  }
}

function nameFault(text: string, message: string, position: { line: number } | undefined): Fault {
  const line = position?.line;
  const first = message.split('\n')[0] ?? message;
  return {
    path: '',
    code: 'NOT_YAML',
    value: JSON.stringify(
      (line === undefined ? text : (text.split('\n')[line - 1] ?? '')).slice(0, 120),
    ),
    message: first,
    fix: line === undefined ? 'send YAML 1.2 or JSON' : `mend line ${String(line)}, or send JSON`,
  };
}
