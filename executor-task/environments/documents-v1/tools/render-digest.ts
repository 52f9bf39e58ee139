import { z } from 'zod';
import { composeDigest } from './compose-digest.ts';
import { documentText } from './document-text.ts';
import { parseGiven, parseGivenJson } from './parse-given.ts';
import { renderDocx } from './render-docx.ts';
import { renderHtml } from './render-html.ts';
import { runTool, type ToolCall } from './run-tool.ts';
import { termIndexFile } from './term-index-file.ts';
import { ToolFault } from './tool-fault.ts';

const paramsFile = z.strictObject({
  title: z.string().min(1).max(200).default('Digest'),
  subtitle: z.string().max(300).default(''),
  /** Opening paragraphs quoted from each document. */
  excerpt: z.number().int().min(0).max(20).default(3),
  /** Terms in the table that compares the documents. */
  terms: z.number().int().min(0).max(100).default(20),
});

const maxDocuments = 500;

const digestFile = z.object({
  texts: z.array(documentText).max(maxDocuments),
  index: termIndexFile,
});

/** Reads the input `digest` (`{texts, index}` as JSON) and gives the same digest as `html` and as `docx`. */
export function main({ root }: { root: string }): Promise<number> {
  return runTool(root, renderDigest);
}

async function renderDigest(call: ToolCall): Promise<Record<string, Uint8Array | string>> {
  const params = parseGiven(paramsFile, 'params', call.params);
  const [text, ...others] = await call.readTexts('digest');
  if (text === undefined || others.length > 0) {
    throw new ToolFault('digest: bind exactly one file, the merged texts and index');
  }
  const { texts, index } = parseGivenJson(digestFile, 'digest', text);
  if (texts.length !== index.documents.length) {
    throw new ToolFault(
      `digest: the index is of ${String(index.documents.length)} documents, but ${String(texts.length)} texts are given; merge the texts that were indexed`,
    );
  }
  const digest = composeDigest(texts, index, params);
  return { html: renderHtml(digest), docx: await renderDocx(digest) };
}
