import { untitled, type DocumentText } from './document-text.ts';
import { segmentTerms } from './segment-terms.ts';
import type { StopWordLanguage } from './stop-words.ts';
import type { TermIndexFile } from './term-index-file.ts';

interface IndexParams {
  language: StopWordLanguage;
  top: number;
  stop: string[];
}

type Posting = TermIndexFile['terms'][number]['postings'][number];

const maxTerms = 50_000;
/** Postings and positions of the whole index: it is an artifact that later nodes read whole. */
const maxPostings = 250_000;
const maxPositions = 500_000;
const maxPositionsPerPosting = 100;
const weightDecimals = 6;

/** Builds the index. Order and numbers depend on the texts and params alone. */
export function buildTermIndex(documents: DocumentText[], params: IndexParams): TermIndexFile {
  const postings = new Map<string, Posting[]>();
  const perDocument = documents.map((document, index) =>
    collectPostings(document, index + 1, params, postings),
  );
  const ranked = [...postings].map(([term, list]) => ({
    term,
    documents: list.length,
    count: list.reduce((sum, posting) => sum + posting.count, 0),
    postings: list,
  }));
  ranked.sort(
    (a, b) => b.documents - a.documents || b.count - a.count || compareTerms(a.term, b.term),
  );
  const kept = keepWithinLimits(ranked).sort((a, b) => compareTerms(a.term, b.term));
  const frequency = new Map(ranked.map((entry) => [entry.term, entry.documents]));
  return {
    language: params.language,
    totals: {
      documents: documents.length,
      words: documents.reduce((sum, document) => sum + document.words, 0),
      terms: kept.length,
      omitted: ranked.length - kept.length,
    },
    documents: documents.map((document, index) => {
      const counts = perDocument[index] ?? new Map<string, number>();
      return {
        number: index + 1,
        title: document.title ?? untitled,
        format: document.format,
        words: document.words,
        terms: counts.size,
        top: listTopTerms(counts, frequency, documents.length, params.top),
      };
    }),
    terms: kept,
  };
}

function collectPostings(
  document: DocumentText,
  number: number,
  params: IndexParams,
  postings: Map<string, Posting[]>,
): Map<string, number> {
  const own = new Map<string, Posting>();
  for (const { term, position } of segmentTerms(document.text, params.language, params.stop)) {
    let posting = own.get(term);
    if (posting === undefined) {
      posting = { document: number, count: 0, positions: [] };
      own.set(term, posting);
      const list = postings.get(term);
      if (list === undefined) postings.set(term, [posting]);
      else list.push(posting);
    }
    posting.count += 1;
    if (posting.positions.length < maxPositionsPerPosting) posting.positions.push(position);
  }
  return new Map([...own].map(([term, posting]) => [term, posting.count]));
}

/** The first terms of the ranking that fit, with as many positions for each posting as fit for all. */
function keepWithinLimits(ranked: TermIndexFile['terms']): TermIndexFile['terms'] {
  let room = maxPostings;
  const kept: TermIndexFile['terms'] = [];
  for (const entry of ranked.slice(0, maxTerms)) {
    room -= entry.postings.length;
    if (room < 0) break;
    kept.push(entry);
  }
  const postings = kept.flatMap((entry) => entry.postings);
  let perPosting = maxPositionsPerPosting;
  const countPositions = () =>
    postings.reduce((sum, posting) => sum + Math.min(perPosting, posting.positions.length), 0);
  while (countPositions() > maxPositions) perPosting = Math.floor(perPosting / 2);
  for (const posting of postings) posting.positions.splice(perPosting);
  return kept;
}

/** tf-idf with the smoothing that keeps a term of every document above zero. */
function listTopTerms(
  counts: Map<string, number>,
  frequency: Map<string, number>,
  documents: number,
  top: number,
): TermIndexFile['documents'][number]['top'] {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [...counts]
    .map(([term, count]) => {
      const rarity = Math.log((documents + 1) / ((frequency.get(term) ?? 0) + 1)) + 1;
      return { term, count, weight: (count / total) * rarity };
    })
    .sort((a, b) => b.weight - a.weight || compareTerms(a.term, b.term))
    .slice(0, top)
    .map((entry) => ({ ...entry, weight: Number(entry.weight.toFixed(weightDecimals)) }));
}

/** By code unit: the order of a locale changes between versions of its data. */
function compareTerms(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
