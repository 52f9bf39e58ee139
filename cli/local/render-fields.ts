import { cleanText } from '../output/clean-text.ts';

const secretName = /secret|password|token|accesskey/i;

/** A result as `name: value` lines, nested names with dots. What is named like a secret is left out. */
export function renderFields(value: unknown, prefix = ''): string[] {
  if (typeof value !== 'object' || value === null) {
    return prefix === '' ? [cleanText(String(value))] : [`${prefix}: ${cleanText(String(value))}`];
  }
  return Object.entries(value)
    .filter(([name]) => !secretName.test(name))
    .flatMap(([name, inner]) => renderFields(inner, prefix === '' ? name : `${prefix}.${name}`));
}
