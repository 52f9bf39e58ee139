import { FunctionFailure } from '../function-failure.ts';
import { functionLimits } from '../function-limits.ts';

/** Cleans the texts of one document and stops when they pass the limit together. */
export interface TextBudget {
  /** One line without control characters, in Unicode form NFC. Throws `LIMIT_EXCEEDED`. */
  take(text: string): string;
}

export function createTextBudget(): TextBudget {
  let left: number = functionLimits.textCharacters;
  return {
    take(text) {
      left -= text.length;
      if (left < 0) {
        throw new FunctionFailure(
          'LIMIT_EXCEEDED',
          `the document holds more than ${String(functionLimits.textCharacters)} characters of text; split it`,
        );
      }
      return cleanText(text);
    },
  };
}

export function cleanText(text: string): string {
  const clean = text.toWellFormed().normalize('NFC');
  return clean.replace(/[\p{Cc}\p{Zs}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

export function countWords(text: string): number {
  return text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu)?.length ?? 0;
}
