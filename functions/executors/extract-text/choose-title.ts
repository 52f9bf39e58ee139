import { cutText } from '../../../schemas/cut-text.ts';
import { cleanText } from './text-budget.ts';

const titleCharacters = 200;

/** The first candidate with text, shortened to a line that fits a list. */
export function chooseTitle(candidates: (string | null | undefined)[]): string | null {
  for (const candidate of candidates) {
    const title = cleanText(candidate ?? '');
    if (title !== '') return cutText(title, titleCharacters);
  }
  return null;
}
