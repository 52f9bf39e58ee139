import { createHash } from 'node:crypto';
import { readFileSync, writeSync } from 'node:fs';
import type { AdapterVerb } from './behaviour.ts';

export const board = 'fleet';
export const task = 't_0123abcd';
export const attachmentId = 41;

/** In all that an adapter prints and in the environment; nothing of it may ever come out of the command. */
export const canary = 'canary-5c1f0e';

/** The stored bytes: more than any pipe holds, so that a reader that stops is felt. */
export const content = Buffer.from(`${canary} stored bytes ä\r\n\0`.repeat(20_000));
export const contentHash = hashBytes(content);
export const reference = `kanban-artifact:v1:${board}:${task}:${String(attachmentId)}:${contentHash}`;

export type WireRecord = Record<string, unknown>;

/** What one invocation was asked, and the honest answers to it. */
export interface Call {
  verb: AdapterVerb;
  words: string[];
  /** Working folder of the command. */
  folder: string;
}

export function hashBytes(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The record of the stored bytes, with changes. */
export function listed(changes: WireRecord = {}): WireRecord {
  return {
    id: attachmentId,
    task_id: task,
    filename: 'brief.docx',
    content_type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    size: content.length,
    sha256: contentHash,
    uploaded_by: 'coordinator',
    created_at: 1_760_000_000,
    stored_path: `/worker/${canary}/41`,
    ...changes,
  };
}

/** The record an upload must be answered with, with changes. */
export function uploaded(call: Call, changes: WireRecord = {}): WireRecord {
  return listed({
    filename: readFlag(call, '--name'),
    content_type: readFlag(call, '--media-type'),
    size: Number(readFlag(call, '--size')),
    sha256: readFlag(call, '--sha256'),
    ...changes,
  });
}

export function omit(record: WireRecord, key: string): WireRecord {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
}

function readFlag(call: Call, flag: string): string {
  return call.words[call.words.indexOf(flag) + 1] ?? '';
}

export function takeInput(): Buffer {
  return readFileSync(0);
}

/** Writes all of it before it returns, so that an exit right after loses nothing. */
export function print(output: string | Buffer): void {
  const bytes = Buffer.from(output);
  for (let at = 0; at < bytes.length; at += writeSync(1, bytes, at));
}

export function printJson(value: unknown): void {
  print(`${JSON.stringify(value)}\n`);
}

export function complain(text = `Authorization: Bearer ${canary}\n`): void {
  for (let at = 0; at < text.length; at += writeSync(2, text.slice(at)));
}

/** Never returns; the process goes on living. */
export async function liveOn(): Promise<never> {
  setInterval(() => undefined, 1_000_000);
  return await new Promise<never>(() => undefined);
}
