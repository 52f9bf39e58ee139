import type { Behaviour } from '../behaviour.ts';
import { content, listed, print, printJson, takeInput, uploaded } from '../call.ts';
import { startChild } from '../start-child.ts';

const shortTimeoutSeconds = 2;

/** In the group: whatever it holds, it dies with the adapter. */
const inGroup: Behaviour[] = [
  {
    title: 'A49 list: a good answer, and a child that holds the output',
    command: 'list',
    code: 'ok',
    act: {
      'artifact-list': async () => {
        await startChild({ stdout: 'inherit', stderr: 'inherit' });
        printJson([listed()]);
        process.exit(0);
      },
    },
  },
  {
    title: 'A49 list: a good answer, and a child that holds nothing',
    command: 'list',
    code: 'ok',
    act: {
      'artifact-list': async () => {
        await startChild({});
        printJson([listed()]);
        process.exit(0);
      },
    },
  },
  {
    title: 'A49 list: no answer, and a child that holds the output',
    command: 'list',
    code: 'artifact_transport_invalid',
    act: {
      'artifact-list': async () => {
        await startChild({ stdout: 'inherit' });
        process.exit(0);
      },
    },
  },
  {
    title: 'A49 upload: a good answer, and a child that holds all three streams',
    command: 'upload',
    code: 'ok',
    act: {
      'artifact-upload': async (call) => {
        takeInput();
        await startChild({ stdin: 'inherit', stdout: 'inherit', stderr: 'inherit' });
        printJson(uploaded(call));
        process.exit(0);
      },
    },
  },
  {
    title: 'A49 download: status 1, and a child that holds the output',
    command: 'download',
    code: 'artifact_transport_failed',
    act: {
      'artifact-download': async () => {
        await startChild({ stdout: 'inherit' });
        print(content);
        process.exit(1);
      },
    },
  },
  {
    title: 'A49 download: half of the bytes, and a child that would send the rest',
    command: 'download',
    code: 'artifact_integrity_failed',
    act: {
      'artifact-download': async () => {
        await startChild({ stdout: 'inherit' });
        print(content.subarray(0, 1_000));
        process.exit(0);
      },
    },
  },
  {
    title: 'A49 list: the group is told to end by the adapter itself',
    command: 'list',
    code: 'artifact_transport_failed',
    act: {
      'artifact-list': () => {
        process.kill(0, 'SIGKILL');
      },
    },
  },
];

/** Out of the group: it may live on, and must not hold the call. */
const outOfGroup: Behaviour[] = [
  {
    title: 'A50 list: a good answer, and a process elsewhere that holds nothing',
    command: 'list',
    code: 'ok',
    mayLeaveProcess: true,
    act: {
      'artifact-list': async () => {
        await startChild({ leaves: true });
        printJson([listed()]);
        process.exit(0);
      },
    },
  },
  {
    title: 'A50 list: a good answer, and a process elsewhere that holds the complaints',
    command: 'list',
    code: 'ok',
    mayLeaveProcess: true,
    act: {
      'artifact-list': async () => {
        await startChild({ leaves: true, stderr: 'inherit' });
        printJson([listed()]);
        process.exit(0);
      },
    },
  },
  {
    title: 'A50 list: a good answer, and a process elsewhere that holds the output',
    command: 'list',
    code: 'artifact_transport_timeout',
    timeoutSeconds: shortTimeoutSeconds,
    mayLeaveProcess: true,
    act: {
      'artifact-list': async () => {
        await startChild({ leaves: true, stdout: 'inherit' });
        printJson([listed()]);
        process.exit(0);
      },
    },
  },
  {
    title: 'A50 download: the right bytes, and a process elsewhere that holds the output',
    command: 'download',
    code: 'artifact_transport_timeout',
    timeoutSeconds: shortTimeoutSeconds,
    mayLeaveProcess: true,
    act: {
      'artifact-download': async () => {
        await startChild({ leaves: true, stdout: 'inherit' });
        print(content);
        process.exit(0);
      },
    },
  },
  {
    title: 'A50 upload: no answer, and a process elsewhere that holds input and output',
    command: 'upload',
    uploadBytes: 2_097_152,
    code: 'artifact_transport_timeout',
    timeoutSeconds: shortTimeoutSeconds,
    mayLeaveProcess: true,
    act: {
      'artifact-upload': async () => {
        await startChild({ leaves: true, stdin: 'inherit', stdout: 'inherit' });
        process.exit(0);
      },
    },
  },
  {
    title: 'A50 list: status 3, and a process elsewhere that holds the output',
    command: 'list',
    code: 'artifact_not_found',
    timeoutSeconds: shortTimeoutSeconds,
    mayLeaveProcess: true,
    act: {
      'artifact-list': async () => {
        await startChild({ leaves: true, stdout: 'inherit' });
        process.exit(3);
      },
    },
  },
  {
    title: 'A50 list: a process elsewhere that floods the output for ever',
    command: 'list',
    code: 'artifact_transport_invalid',
    mayLeaveProcess: true,
    act: {
      'artifact-list': async () => {
        await startChild({ leaves: true, stdout: 'inherit', program: 'exec yes canary-5c1f0e' });
        process.exit(0);
      },
    },
  },
];

export const leftBehind: Behaviour[] = [...inGroup, ...outOfGroup];
