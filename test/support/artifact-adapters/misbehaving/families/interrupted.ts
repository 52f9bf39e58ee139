import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Behaviour } from '../behaviour.ts';
import { content, liveOn, print } from '../call.ts';
import type { Call } from '../call.ts';
import { startChild } from '../start-child.ts';

const half = content.length / 2;

/** Tells the test that the adapter is where it shall be met; beside the working folder, where nothing is looked for. */
function markAtWork(call: Call): void {
  writeFileSync(path.join(path.dirname(call.folder), 'at-work'), '');
}

async function stayAtWork(call: Call): Promise<never> {
  markAtWork(call);
  return await liveOn();
}

function ignoreSignals(): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
}

/** Adapters that are at work when the command is stopped. */
export const interrupted: Behaviour[] = [
  {
    title: 'A79 upload: an adapter that has read nothing yet',
    command: 'upload',
    code: 'none',
    act: { 'artifact-upload': stayAtWork },
  },
  {
    title: 'A79 list: an adapter that has said nothing yet',
    command: 'list',
    code: 'none',
    act: { 'artifact-list': stayAtWork },
  },
  {
    title: 'A79 download: an adapter amid the bytes',
    command: 'download',
    code: 'none',
    act: {
      'artifact-download': async (call) => {
        print(content.subarray(0, half));
        await stayAtWork(call);
      },
    },
  },
  {
    title: 'A79 download: an adapter that ignores signals',
    command: 'download',
    code: 'none',
    act: {
      'artifact-download': async (call) => {
        ignoreSignals();
        print(content);
        await stayAtWork(call);
      },
    },
  },
  {
    title: 'A79 list: an adapter with a child that ignores signals',
    command: 'list',
    code: 'none',
    act: {
      'artifact-list': async (call) => {
        await startChild({ stdout: 'inherit' });
        await stayAtWork(call);
      },
    },
  },
  {
    title: 'A79 download: an adapter that stops the command itself',
    command: 'download',
    code: 'none',
    act: {
      'artifact-download': async (call) => {
        print(content.subarray(0, half));
        markAtWork(call);
        process.kill(process.ppid, 'SIGTERM');
        await liveOn();
      },
    },
  },
];
