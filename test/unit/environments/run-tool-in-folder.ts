import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';

interface ToolRun {
  exitCode: number;
  stderr: string;
  outputs: Record<string, Buffer>;
}

/** Lays out inputs and params as the sandbox does, runs the tool, and reads the outputs that are named. */
export async function runToolInFolder(
  main: (options: { root: string }) => Promise<number>,
  inputs: Record<string, string | string[]>,
  params: unknown,
  outputNames: string[],
): Promise<ToolRun> {
  const root = await mkdtemp(join(tmpdir(), 'windlass-tool-'));
  const written: string[] = [];
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    written.push(String(chunk));
    return true;
  });
  try {
    await writeFile(join(root, 'inputs.json'), JSON.stringify(await layOut(root, inputs)));
    await writeFile(join(root, 'params.json'), JSON.stringify(params));
    const exitCode = await main({ root });
    const outputs: Record<string, Buffer> = {};
    for (const name of exitCode === 0 ? outputNames : []) {
      outputs[name] = await readFile(join(root, 'outputs', name));
    }
    return { exitCode, stderr: written.join(''), outputs };
  } finally {
    stderr.mockRestore();
    await rm(root, { recursive: true, force: true });
  }
}

async function layOut(root: string, inputs: Record<string, string | string[]>): Promise<unknown> {
  const bound: Record<string, unknown> = {};
  for (const [name, content] of Object.entries(inputs)) {
    const texts = Array.isArray(content) ? content : [content];
    const files = [];
    for (const [index, text] of texts.entries()) {
      const path = join(root, `${name}-${String(index)}`);
      await writeFile(path, text);
      files.push({ path, filename: null, media_type: 'application/json' });
    }
    bound[name] = Array.isArray(content) ? files : files[0];
  }
  return bound;
}

export function documentText(title: string | null, text: string): Record<string, unknown> {
  return {
    title,
    format: 'docx',
    headings: [{ level: 1, text: 'First heading' }],
    paragraphs: [{ kind: 'paragraph', text }],
    words: text.split(/\s+/).length,
    text,
  };
}
