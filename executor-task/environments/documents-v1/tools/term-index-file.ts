import { z } from 'zod';

const counted = z.number().int().nonnegative();

/** The output `index` of the term index. Documents are numbered from 1 in the order in which they were given. */
export const termIndexFile = z.object({
  language: z.string(),
  totals: z.object({
    documents: counted,
    words: counted,
    /** Terms that are listed, and those left out because the list is full. */
    terms: counted,
    omitted: counted,
  }),
  documents: z.array(
    z.object({
      number: counted,
      title: z.string(),
      format: z.string(),
      words: counted,
      /** Different terms in the document. */
      terms: counted,
      /** Terms that tell this document from the others, by tf-idf weight. */
      top: z.array(z.object({ term: z.string(), count: counted, weight: z.number() })),
    }),
  ),
  /** In order of their code units. */
  terms: z.array(
    z.object({
      term: z.string(),
      /** Documents that hold the term, and how often it stands in all of them. */
      documents: counted,
      count: counted,
      postings: z.array(
        z.object({
          document: counted,
          count: counted,
          /** Word positions from 0; only the first ones of a long list. */
          positions: z.array(counted),
        }),
      ),
    }),
  ),
});

export type TermIndexFile = z.infer<typeof termIndexFile>;
