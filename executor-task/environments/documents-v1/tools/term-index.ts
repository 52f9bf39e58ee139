import { z } from 'zod';
import { renderCanonical } from '../../../../schemas/digest.ts';
import { buildTermIndex } from './build-term-index.ts';
import { documentText } from './document-text.ts';
import { parseGiven, parseGivenJson } from './parse-given.ts';
import { runTool, type ToolCall } from './run-tool.ts';
import { stopWordLanguages } from './stop-words.ts';
import { ToolFault } from './tool-fault.ts';

const paramsFile = z.strictObject({
  /** Language of segmentation and stop words. */
  language: z.enum(stopWordLanguages).default('en'),
  /** Terms listed for each document. */
  top: z.number().int().min(1).max(100).default(12),
  /** Further words to leave out. */
  stop: z.array(z.string().min(1).max(100)).max(1_000).default([]),
});

const maxTexts = 2_000;

/** Reads the input `texts` (extracted texts as JSON) and gives `index`, a `TermIndexFile`. */
export function main({ root }: { root: string }): Promise<number> {
  return runTool(root, indexTexts);
}

async function indexTexts(call: ToolCall): Promise<Record<string, string>> {
  const params = parseGiven(paramsFile, 'params', call.params);
  const texts = await call.readTexts('texts');
  if (texts.length > maxTexts) {
    throw new ToolFault(`texts: ${String(texts.length)} are bound; at most ${String(maxTexts)}`);
  }
  const documents = texts.map((text, index) =>
    parseGivenJson(documentText, `texts.${String(index)}`, text),
  );
  return { index: renderCanonical(buildTermIndex(documents, params)) };
}
