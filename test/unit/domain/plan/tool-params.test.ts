import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { main as renderDigest } from '../../../../executor-task/environments/documents-v1/tools/render-digest.ts';
import { main as termIndex } from '../../../../executor-task/environments/documents-v1/tools/term-index.ts';
import { createParamsCheck } from '../../../../functions/executors/create-params-check.ts';
import type { JsonObject } from '../../../../schemas/json.ts';
import { pinned } from './compose-submission.ts';

const checkParams = createParamsCheck(pinned.registry);
const tools = { 'term-index': termIndex, 'render-digest': renderDigest };
let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'windlass-params-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(root, { recursive: true });
});

/** Whether the tool itself takes the params: it looks at them before its inputs, of which it has none here. */
async function isTaken(tool: keyof typeof tools, params: JsonObject): Promise<boolean> {
  await writeFile(path.join(root, 'inputs.json'), '{}');
  await writeFile(path.join(root, 'params.json'), JSON.stringify(params));
  const said: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  expect(await tools[tool]({ root })).toBe(1);
  return !said.join('').startsWith('params');
}

const samples: Record<keyof typeof tools, JsonObject[]> = {
  'term-index': [
    {},
    ...['en', 'de', 'none', 'fr', '', 1].map((language) => ({ language })),
    ...[0, 1, 100, 101, 1.5, '5', null].map((top) => ({ top })),
    ...[[], ['a'], [''], ['a'.repeat(100)], ['a'.repeat(101)], 'a', [1]].map((stop) => ({ stop })),
    { stop: Array<string>(1_000).fill('a') },
    { stop: Array<string>(1_001).fill('a') },
    { langauge: 'en' },
    { item: 'en' },
  ],
  'render-digest': [
    {},
    ...['', 'a', 'a'.repeat(200), 'a'.repeat(201), 1].map((title) => ({ title })),
    ...['', 'a'.repeat(300), 'a'.repeat(301), null].map((subtitle) => ({ subtitle })),
    ...[-1, 0, 20, 21, 0.5].map((excerpt) => ({ excerpt })),
    ...[-1, 0, 100, 101].map((terms) => ({ terms })),
    { headline: 'a' },
  ],
};

describe('the params of a tool in the registry', () => {
  it.each(['term-index', 'render-digest'] as const)(
    'E14 are those that %s takes, and no others',
    async (tool) => {
      for (const params of samples[tool]) {
        const call = { executor: tool, operation: tool, params, inputs: [] };
        const isAdmitted = checkParams(call).length === 0;
        expect({ params, isAdmitted }).toEqual({ params, isAdmitted: await isTaken(tool, params) });
      }
    },
  );
});
