import { PermanentError } from '../ports/errors.ts';

export type Settings = Readonly<Record<string, string | undefined>>;

/** A setting that the stack gives to this Lambda. @throws PermanentError naming the variable when the stack did not. */
export function readSetting(settings: Settings, name: `WINDLASS_${string}`): string {
  const value = settings[name];
  if (value !== undefined && value !== '') return value;
  throw new PermanentError(`the environment variable ${name} is not set; the stack gives it`);
}
