import type { AdapterVerb, Behaviour } from '../behaviour.ts';
import {
  canary,
  complain,
  content,
  listed,
  liveOn,
  print,
  printJson,
  takeInput,
  uploaded,
} from '../call.ts';

const shortTimeoutSeconds = 2;
const block = `token=${canary} `.repeat(4_096);

function floods(verb: AdapterVerb, chunk: string | Buffer): Behaviour['act'] {
  return {
    [verb]: () => {
      for (;;) print(chunk);
    },
  };
}

/** Writes a little for ever, so that only a deadline over the whole call can end it. */
async function drip(chunk: string): Promise<never> {
  setInterval(() => {
    print(chunk);
  }, 50);
  return await new Promise<never>(() => undefined);
}

export const endlessOutput: Behaviour[] = [
  {
    title: 'A2 list: ten thousand records, which is much and not too much',
    command: 'list',
    code: 'ok',
    act: {
      'artifact-list': () => {
        printJson(Array.from({ length: 10_000 }, (_, place) => listed({ id: place + 1 })));
      },
    },
  },
  {
    title: 'A43 list: a text without end',
    command: 'list',
    code: 'artifact_transport_invalid',
    act: floods('artifact-list', block),
  },
  {
    title: 'A43 list: white space without end after a good answer',
    command: 'list',
    code: 'artifact_transport_invalid',
    act: {
      'artifact-list': () => {
        printJson([listed()]);
        for (;;) print(' '.repeat(65_536));
      },
    },
  },
  {
    title: 'A43 list: records without end',
    command: 'list',
    code: 'artifact_transport_invalid',
    act: {
      'artifact-list': () => {
        print('[');
        for (let id = 1; ; id += 1) print(`${JSON.stringify(listed({ id }))},`.repeat(100));
      },
    },
  },
  {
    title: 'A43 upload: a record without end',
    command: 'upload',
    code: 'artifact_transport_invalid',
    act: floods('artifact-upload', block),
  },
  {
    title: 'A43 upload: output without end before 2 MiB are read',
    command: 'upload',
    uploadBytes: 2_097_152,
    code: 'artifact_transport_invalid',
    act: floods('artifact-upload', '\0'.repeat(65_536)),
  },
  {
    title: 'A28 download: more than the cap, without end',
    command: 'download',
    code: 'artifact_too_large',
    act: floods('artifact-download', content),
  },
  {
    title: 'A49 download: output without end that ignores SIGTERM',
    command: 'download',
    code: 'artifact_too_large',
    act: {
      'artifact-download': () => {
        process.on('SIGTERM', () => undefined);
        for (;;) print(content);
      },
    },
  },
  {
    title: 'A26 download: one byte more than listed, and then nothing for ever',
    command: 'download',
    code: 'artifact_integrity_failed',
    act: {
      'artifact-download': async () => {
        print(content);
        print('!');
        await liveOn();
      },
    },
  },
  {
    title: 'A26 download: bytes beyond the listed size, a few every moment, for ever',
    command: 'download',
    code: 'artifact_integrity_failed',
    act: {
      'artifact-download': async () => {
        print(content);
        await drip('!');
      },
    },
  },
  {
    title: 'A18 list: 20 MiB of complaints, then a good answer',
    command: 'list',
    code: 'ok',
    act: {
      'artifact-list': () => {
        for (let times = 0; times < 320; times += 1) complain(block);
        printJson([listed()]);
      },
    },
  },
  {
    title: 'A18 upload: 20 MiB of complaints before a byte is read',
    command: 'upload',
    uploadBytes: 2_097_152,
    code: 'ok',
    act: {
      'artifact-upload': (call) => {
        for (let times = 0; times < 320; times += 1) complain(block);
        takeInput();
        printJson(uploaded(call));
      },
    },
  },
  {
    title: 'A41 list: complaints without end',
    command: 'list',
    code: 'artifact_transport_timeout',
    timeoutSeconds: shortTimeoutSeconds,
    act: {
      'artifact-list': () => {
        for (;;) complain(block);
      },
    },
  },
  {
    title: 'A41 list: a space every moment, for ever',
    command: 'list',
    code: 'artifact_transport_timeout',
    timeoutSeconds: shortTimeoutSeconds,
    act: { 'artifact-list': async () => await drip(' ') },
  },
  {
    title: 'A41 download: a byte every moment',
    command: 'download',
    code: 'artifact_transport_timeout',
    timeoutSeconds: shortTimeoutSeconds,
    act: { 'artifact-download': async () => await drip('x') },
  },
];
