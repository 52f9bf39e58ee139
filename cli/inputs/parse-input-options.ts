import { portName } from '../../schemas/ids.ts';
import { mediaType } from '../../schemas/media-type.ts';
import { refuseUsage } from '../command-failure.ts';

/** Input name → files or patterns, in the order in which they were given. */
export type NamedPatterns = Map<string, string[]>;

/** `--input NAME=FILE`, repeatable; the same name again adds to its list. */
export function parseInputOptions(texts: readonly string[]): NamedPatterns {
  const named: NamedPatterns = new Map();
  for (const text of texts) {
    const { name, value } = splitPair('--input', text, 'NAME=FILE');
    named.set(name, [...(named.get(name) ?? []), value]);
  }
  return named;
}

/** `--media-type NAME=TYPE`: what the files of an input are, whatever their names end in. */
export function parseMediaTypeOptions(texts: readonly string[]): Map<string, string> {
  const types = new Map<string, string>();
  for (const text of texts) {
    const { name, value } = splitPair('--media-type', text, 'NAME=TYPE');
    if (!mediaType.safeParse(value).success) {
      throw refuseUsage(
        `--media-type ${text}: "${value}" is not a media type`,
        'use type/subtype in lower case, such as text/plain',
      );
    }
    types.set(name, value);
  }
  return types;
}

function splitPair(option: string, text: string, form: string): { name: string; value: string } {
  const at = text.indexOf('=');
  const name = text.slice(0, Math.max(at, 0));
  const value = text.slice(at + 1);
  if (at < 1 || value === '') throw refuseUsage(`${option} ${text}: not of the form ${form}`);
  if (portName.safeParse(name).success) return { name, value };
  throw refuseUsage(
    `${option} ${text}: "${name}" is not a name of an input`,
    'begin with a lower-case letter; then letters, digits, "_" and "-", at most 40',
  );
}
