import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { ToolFault } from './tool-fault.ts';

const boundFile = z.object({
  path: z.string().min(1),
  filename: z.string().nullish(),
  media_type: z.string(),
});
const inputsFile = z.record(z.string(), z.union([boundFile, z.array(boundFile)]));

export interface ToolCall {
  params: unknown;
  /** Texts of the files bound to the input, in the order of the request. Throws `ToolFault` when it is not bound. */
  readTexts(input: string): Promise<string[]>;
}

/** Gives the bytes of each output by its name. Equal calls give equal bytes. */
type Tool = (call: ToolCall) => Promise<Record<string, Uint8Array | string>>;

/** Node's own code for a failure that is not the caller's. */
const brokenExitCode = 70;

/**
 * Runs a tool over the folder that a sandbox prepares: `inputs.json`, `params.json`, and an `outputs` folder to fill.
 * Gives the exit code; on failure one line on standard error says why.
 */
export async function runTool(root: string, tool: Tool): Promise<number> {
  try {
    const outputs = await tool(await readCall(root));
    await mkdir(join(root, 'outputs'), { recursive: true });
    for (const [name, content] of Object.entries(outputs)) {
      await writeFile(join(root, 'outputs', name), content);
    }
    return 0;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${reason.replace(/[\p{Cc}\s]+/gu, ' ').slice(0, 1_000)}\n`);
    return error instanceof ToolFault ? 1 : brokenExitCode;
  }
}

async function readCall(root: string): Promise<ToolCall> {
  const parsed = inputsFile.safeParse(await readJson(join(root, 'inputs.json')));
  if (!parsed.success) throw new ToolFault(`inputs.json: ${z.prettifyError(parsed.error)}`);
  const inputs = new Map(Object.entries(parsed.data));
  return {
    params: await readJson(join(root, 'params.json')),
    async readTexts(input) {
      const bound = inputs.get(input);
      if (bound === undefined) throw new ToolFault(`input ${input} is not bound`);
      const texts: string[] = [];
      for (const file of Array.isArray(bound) ? bound : [bound]) {
        texts.push(await readText(resolve(root, file.path)));
      }
      return texts;
    },
  };
}

async function readJson(path: string): Promise<unknown> {
  const text = await readText(path);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ToolFault(`${path} is not JSON`, { cause: error });
  }
}

async function readText(path: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
  } catch (error) {
    throw new ToolFault(`${path} cannot be read as UTF-8 text`, { cause: error });
  }
}
