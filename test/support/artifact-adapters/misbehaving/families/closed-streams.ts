import { closeSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import type { Behaviour } from '../behaviour.ts';
import { content, listed, liveOn, print, printJson, takeInput, uploaded } from '../call.ts';

const shortTimeoutSeconds = 2;
const moreThanAPipe = 2_097_152;

function readOpenFile(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    // The one that listed them is closed by now.
    return '';
  }
}

export const closedStreams: Behaviour[] = [
  {
    title: 'A51 upload: never reads, and answers well',
    command: 'upload',
    uploadBytes: moreThanAPipe,
    code: 'artifact_transport_invalid',
    act: {
      'artifact-upload': (call) => {
        printJson(uploaded(call));
      },
    },
  },
  {
    title: 'A51 upload: closes its input, and answers well',
    command: 'upload',
    uploadBytes: moreThanAPipe,
    code: 'artifact_transport_invalid',
    act: {
      'artifact-upload': (call) => {
        closeSync(0);
        printJson(uploaded(call));
      },
    },
  },
  {
    title: 'A51 upload: reads one block of its input, and answers well',
    command: 'upload',
    uploadBytes: moreThanAPipe,
    code: 'artifact_transport_invalid',
    act: {
      'artifact-upload': (call) => {
        readSync(0, Buffer.alloc(4_096));
        closeSync(0);
        printJson(uploaded(call));
      },
    },
  },
  {
    title: 'A43 upload: reads all, and closes its output without a word',
    command: 'upload',
    code: 'artifact_transport_invalid',
    act: {
      'artifact-upload': () => {
        takeInput();
        closeSync(1);
      },
    },
  },
  {
    title: 'A42 upload: closes its input, and fails',
    command: 'upload',
    uploadBytes: moreThanAPipe,
    code: 'artifact_transport_failed',
    act: {
      'artifact-upload': () => {
        closeSync(0);
        process.exit(1);
      },
    },
  },
  {
    title: 'A48 upload: never reads, and lives on',
    command: 'upload',
    uploadBytes: moreThanAPipe,
    code: 'artifact_transport_timeout',
    timeoutSeconds: shortTimeoutSeconds,
    act: { 'artifact-upload': liveOn },
  },
  {
    title: 'A48 upload: closes its input, and lives on',
    command: 'upload',
    uploadBytes: moreThanAPipe,
    code: 'artifact_transport_timeout',
    timeoutSeconds: shortTimeoutSeconds,
    act: {
      'artifact-upload': async () => {
        closeSync(0);
        await liveOn();
      },
    },
  },
  {
    title: 'A48 list: a good answer, closes its output, and lives on',
    command: 'list',
    code: 'artifact_transport_timeout',
    timeoutSeconds: shortTimeoutSeconds,
    act: {
      'artifact-list': async () => {
        printJson([listed()]);
        closeSync(1);
        closeSync(2);
        await liveOn();
      },
    },
  },
  {
    title: 'A48 download: the right bytes, closes its output, and lives on',
    command: 'download',
    code: 'artifact_transport_timeout',
    timeoutSeconds: shortTimeoutSeconds,
    act: {
      'artifact-download': async () => {
        print(content);
        closeSync(1);
        await liveOn();
      },
    },
  },
  {
    title: 'A26 download: half of the bytes, then closes its output',
    command: 'download',
    code: 'artifact_integrity_failed',
    act: {
      'artifact-download': () => {
        print(content.subarray(0, content.length / 2));
        closeSync(1);
      },
    },
  },
  {
    title: 'A76 list: waits for the end of its input, which is there at once',
    command: 'list',
    code: 'ok',
    act: {
      'artifact-list': () => {
        printJson(takeInput().length === 0 ? [listed()] : []);
      },
    },
  },
  {
    title: 'A76 download: waits for the end of its input, which is there at once',
    command: 'download',
    code: 'ok',
    act: {
      'artifact-download': () => {
        takeInput();
        print(content);
      },
    },
  },
  {
    title: 'A49 download: has no file of the command open',
    command: 'download',
    code: 'ok',
    act: {
      'artifact-download': (call) => {
        const open = readdirSync('/proc/self/fd').map(readOpenFile);
        if (open.some((file) => file.startsWith(call.folder))) process.exit(9);
        print(content);
      },
    },
  },
  {
    title: 'A51 upload: answers first and reads then, which is no fault',
    command: 'upload',
    uploadBytes: moreThanAPipe,
    code: 'ok',
    act: {
      'artifact-upload': (call) => {
        printJson(uploaded(call));
        takeInput();
      },
    },
  },
];
