import { parseDocument } from 'yaml';
import { explainYamlError } from '../../../schemas/explain-yaml-error.ts';
import type { Fault } from '../../../schemas/problem.ts';

/** Aliases that one plan may expand; a few kilobytes of nested aliases would otherwise grow to gigabytes. */
const aliasCount = 100;

/** Reads YAML 1.2 or JSON. A fault says where the text stops being either. */
export function parsePlanText(
  text: string,
): { kind: 'PARSED'; document: unknown } | { kind: 'REFUSED'; faults: Fault[] } {
  const parsed = parseDocument(text, { uniqueKeys: true, prettyErrors: true });
  const faults = parsed.errors.map((error) => explainYamlError(text, error));
  if (faults.length > 0) return { kind: 'REFUSED', faults };
  try {
    return { kind: 'PARSED', document: parsed.toJS({ maxAliasCount: aliasCount }) as unknown };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { kind: 'REFUSED', faults: [explainYamlError(text, { message })] };
  }
}
