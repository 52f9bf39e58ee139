import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Behaviour } from '../behaviour.ts';
import { content, print } from '../call.ts';
import { destination } from '../send-around.ts';

/** Something was at the destination before the command began. */
export const olderFile: Behaviour[] = [
  {
    title: 'A46 download --overwrite: an older file is replaced',
    command: 'download',
    words: ['--overwrite'],
    code: 'ok',
    arrange: (folder) => {
      writeFileSync(path.join(folder, destination), 'older');
    },
    act: {},
  },
  {
    title: 'A46 download --overwrite: an older file survives wrong bytes',
    command: 'download',
    words: ['--overwrite'],
    code: 'artifact_integrity_failed',
    arrange: (folder) => {
      writeFileSync(path.join(folder, destination), 'older');
    },
    keeps: { [destination]: 'older' },
    act: {
      'artifact-download': () => {
        print(content.subarray(1));
      },
    },
  },
  {
    title: 'A46 download --overwrite: an older file survives a failing adapter',
    command: 'download',
    words: ['--overwrite'],
    code: 'artifact_transport_failed',
    arrange: (folder) => {
      writeFileSync(path.join(folder, destination), 'older');
    },
    keeps: { [destination]: 'older' },
    act: {
      'artifact-download': () => {
        print(content);
        process.exit(9);
      },
    },
  },
  {
    title: 'A39 download: an older file is kept, and the adapter asked nothing',
    command: 'download',
    code: 'artifact_destination_exists',
    arrange: (folder) => {
      writeFileSync(path.join(folder, destination), 'older');
    },
    keeps: { [destination]: 'older' },
    act: {
      'artifact-list': () => {
        throw new Error('the adapter was started');
      },
    },
  },
];
