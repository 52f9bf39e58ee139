import { cleanText } from './text-budget.ts';

const titleCharacters = 200;

/** The first candidate with text, shortened to a line that fits a list. */
export function chooseTitle(candidates: (string | null | undefined)[]): string | null {
  for (const candidate of candidates) {
    const title = cleanText(candidate ?? '');
    if (title.length > titleCharacters) {
      return `${title.slice(0, titleCharacters - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
    }
    if (title !== '') return title;
  }
  return null;
}
