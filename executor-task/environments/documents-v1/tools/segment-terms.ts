import { stopWords, type StopWordLanguage } from './stop-words.ts';

const maxTermCharacters = 64;

/**
 * The terms of a text with their word positions, which count the words that are left out too. A term is a word by the
 * Unicode segmentation of the language, in lower case and form NFKC, without a possessive ending; numbers, single letters
 * and stop words are no terms.
 */
export function* segmentTerms(
  text: string,
  language: StopWordLanguage,
  extraStopWords: string[],
): Generator<{ term: string; position: number }> {
  const stop = new Set([...stopWords[language], ...extraStopWords.map(normaliseWord)]);
  const segmenter = new Intl.Segmenter(language === 'none' ? 'und' : language, {
    granularity: 'word',
  });
  let position = 0;
  // Paragraph by paragraph: one call over megabytes keeps a copy of all of it.
  for (const line of text.split('\n')) {
    for (const { segment, isWordLike } of segmenter.segment(line)) {
      if (isWordLike !== true) continue;
      const term = normaliseWord(segment);
      if (isTerm(term) && !stop.has(term)) yield { term, position };
      position += 1;
    }
  }
}

function normaliseWord(word: string): string {
  return word
    .normalize('NFKC')
    .toLowerCase()
    .replace(/['’]s$/u, '');
}

function isTerm(word: string): boolean {
  if (word.length > maxTermCharacters || !/\p{L}/u.test(word)) return false;
  // One ideograph is a word, one letter is not.
  return word.length > 1 || /[\p{Script=Han}\p{Script=Hangul}]/u.test(word);
}
