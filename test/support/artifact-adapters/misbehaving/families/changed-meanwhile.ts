import { appendFileSync, closeSync, existsSync, openSync, truncateSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { Behaviour } from '../behaviour.ts';
import { content, hashBytes, listed, print, printJson, takeInput, uploaded } from '../call.ts';
import type { Call } from '../call.ts';

const newer = Buffer.from(content.toString('latin1').replaceAll('stored', 'edited'), 'latin1');

/** True from the second call on; the mark lies beside the working folder, where nothing is looked for. */
function wasCalled(call: Call): boolean {
  const mark = path.join(path.dirname(call.folder), 'called');
  const called = existsSync(mark);
  appendFileSync(mark, 'x');
  return called;
}

function findSource(call: Call): string {
  return path.join(path.dirname(call.folder), 'source.bin');
}

/** One byte of the same file, in its place. */
function changeSource(call: Call, position: number): void {
  const file = openSync(findSource(call), 'r+');
  writeSync(file, '!', position);
  closeSync(file);
}

export const changedMeanwhile: Behaviour[] = [
  {
    title: 'A12 download: a newer revision of the same size after the listing',
    command: 'download',
    code: 'artifact_integrity_failed',
    act: {
      'artifact-download': () => {
        print(newer);
      },
    },
  },
  {
    title: 'A12 download: a newer revision that the listing tells',
    command: 'download',
    code: 'artifact_revision_mismatch',
    act: {
      'artifact-list': () => {
        printJson([listed({ sha256: hashBytes(newer) })]);
      },
      'artifact-download': () => {
        print(newer);
      },
    },
  },
  {
    title: 'A12 download: a newer revision, cut to the listed size',
    command: 'download',
    code: 'artifact_integrity_failed',
    act: {
      'artifact-download': () => {
        print(Buffer.concat([content.subarray(0, -1), Buffer.from('!')]));
      },
    },
  },
  {
    title: 'A24 download: gone after the listing',
    command: 'download',
    code: 'artifact_not_found',
    act: { 'artifact-download': () => process.exit(3) },
  },
  {
    title: 'A42 download: the store goes away in the middle of the bytes',
    command: 'download',
    code: 'artifact_transport_failed',
    act: {
      'artifact-download': () => {
        print(content.subarray(0, 100_000));
        process.exit(1);
      },
    },
  },
  {
    title: 'A42 download: all of the bytes, and then status 1',
    command: 'download',
    code: 'artifact_transport_failed',
    act: {
      'artifact-download': () => {
        print(content);
        process.exit(1);
      },
    },
  },
  {
    title: 'A26 upload: the end of the file changes before it is sent',
    command: 'upload',
    uploadBytes: 2_097_152,
    code: 'artifact_integrity_failed',
    act: {
      'artifact-upload': (call) => {
        changeSource(call, 2_097_151);
        takeInput();
        printJson(uploaded(call));
      },
    },
  },
  {
    title: 'A26 upload: the file is cut short before it is sent',
    command: 'upload',
    uploadBytes: 2_097_152,
    code: 'artifact_integrity_failed',
    act: {
      'artifact-upload': (call) => {
        truncateSync(findSource(call), 1_000_000);
        takeInput();
        printJson(uploaded(call));
      },
    },
  },
  {
    title: 'A13 upload: answers a second upload of one file with the first attachment, renamed',
    command: 'upload',
    code: 'artifact_metadata_mismatch',
    act: {
      'artifact-upload': (call) => {
        takeInput();
        printJson(uploaded(call, { filename: wasCalled(call) ? 'source.bin' : 'source (2).bin' }));
      },
    },
  },
];
