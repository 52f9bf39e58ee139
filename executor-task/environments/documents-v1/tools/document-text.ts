import { z } from 'zod';

/** The part of an extracted text that the tools read; more fields may be there. */
export const documentText = z.object({
  title: z.string().nullable(),
  format: z.string().max(20),
  headings: z.array(z.object({ level: z.number().int().min(1).max(9), text: z.string() })),
  words: z.number().int().nonnegative(),
  text: z.string(),
  paragraphs: z.array(z.object({ kind: z.string(), text: z.string() })).optional(),
  slides: z
    .array(
      z.object({
        title: z.string().nullable(),
        paragraphs: z.array(z.object({ kind: z.string(), text: z.string() })),
      }),
    )
    .optional(),
});

export type DocumentText = z.infer<typeof documentText>;

/** Shown for a document without any text. */
export const untitled = 'Untitled document';
