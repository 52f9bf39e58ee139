import { untitled, type DocumentText } from './document-text.ts';
import type { TermIndexFile } from './term-index-file.ts';

/** What both renderers show, in plain text without control characters. */
export interface Digest {
  title: string;
  subtitle: string;
  words: number;
  terms: number;
  documents: DigestDocument[];
  /** Terms that most documents have in common, with the count in each document. */
  shared: { term: string; count: number; counts: number[] }[];
}

export interface DigestDocument {
  number: number;
  title: string;
  kind: string;
  words: number;
  outline: { level: number; text: string }[];
  terms: { term: string; count: number }[];
  excerpt: string[];
}

interface DigestParams {
  title: string;
  subtitle: string;
  excerpt: number;
  terms: number;
}

const maxOutlineEntries = 60;
const maxQuoteCharacters = 700;
const maxLineCharacters = 300;

export function composeDigest(
  texts: DocumentText[],
  index: TermIndexFile,
  params: DigestParams,
): Digest {
  return {
    title: cleanLine(params.title, maxLineCharacters),
    subtitle: cleanLine(params.subtitle, maxLineCharacters),
    words: index.totals.words,
    terms: index.totals.terms + index.totals.omitted,
    documents: texts.map((text, position) => ({
      number: position + 1,
      title: cleanLine(text.title ?? untitled, maxLineCharacters),
      kind: nameKind(text),
      words: text.words,
      outline: text.headings
        .slice(0, maxOutlineEntries)
        .map(({ level, text: line }) => ({ level, text: cleanLine(line, maxLineCharacters) })),
      terms: (index.documents[position]?.top ?? []).map(({ term, count }) => ({ term, count })),
      excerpt: quoteOpening(text, params.excerpt),
    })),
    shared: listShared(index, params.terms),
  };
}

function nameKind(text: DocumentText): string {
  switch (text.format) {
    case 'docx':
      return 'Document';
    case 'pptx':
      return `Presentation, ${String(text.slides?.length ?? 0)} slides`;
    default:
      return cleanLine(text.format, maxLineCharacters);
  }
}

/** The first paragraphs that are prose or points: titles and tables say little out of their place. */
function quoteOpening(text: DocumentText, count: number): string[] {
  const paragraphs = text.paragraphs ?? text.slides?.flatMap((slide) => slide.paragraphs) ?? [];
  return paragraphs
    .filter(({ kind }) => kind === 'paragraph' || kind === 'list')
    .slice(0, count)
    .map((paragraph) => cleanLine(paragraph.text, maxQuoteCharacters));
}

function listShared(index: TermIndexFile, count: number): Digest['shared'] {
  return index.terms
    .filter((entry) => entry.documents > 1)
    .sort((a, b) => b.documents - a.documents || b.count - a.count || (a.term < b.term ? -1 : 1))
    .slice(0, count)
    .map(({ term, count: total, postings }) => ({
      term: cleanLine(term, maxLineCharacters),
      count: total,
      counts: index.documents.map(
        ({ number }) => postings.find((posting) => posting.document === number)?.count ?? 0,
      ),
    }));
}

/** Controls break XML, and direction marks can make a line read as something that it is not. */
function cleanLine(text: string, maxCharacters: number): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s\uFFFE\uFFFF]+/gu, ' ')
    .replace(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, '')
    .trim();
  if (line.length <= maxCharacters) return line;
  return `${line.slice(0, maxCharacters - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`;
}
