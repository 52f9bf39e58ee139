import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Behaviour } from '../behaviour.ts';
import { destination, sendAround } from '../send-around.ts';

const other = 'written by somebody else';

function writeOther(folder: string): void {
  writeFileSync(path.join(folder, destination), other, { flag: 'wx' });
}

const races = (['before', 'amid', 'after'] as const).map((moment): Behaviour => ({
  title: `A47 download: somebody else's file appears ${moment} the bytes`,
  command: 'download',
  code: 'artifact_destination_exists',
  keeps: { [destination]: other },
  act: sendAround(moment, writeOther),
}));

const links: Behaviour[] = [
  {
    title: 'A45 download: a link to a file appears',
    command: 'download',
    code: 'artifact_destination_exists',
    arrange: (folder) => {
      writeFileSync(path.join(folder, 'victim'), other);
    },
    keeps: { [destination]: '-> victim', victim: other },
    act: sendAround('amid', (folder) => {
      symlinkSync('victim', path.join(folder, destination));
    }),
  },
  {
    title: 'A45 download: a link that leads nowhere appears',
    command: 'download',
    code: 'artifact_destination_exists',
    keeps: { [destination]: '-> nowhere' },
    act: sendAround('amid', (folder) => {
      symlinkSync('nowhere', path.join(folder, destination));
    }),
  },
  {
    title: 'A45 download --overwrite: the file becomes a link, whose target stays',
    command: 'download',
    words: ['--overwrite'],
    code: 'artifact_destination_invalid',
    arrange: (folder) => {
      writeFileSync(path.join(folder, 'victim'), other);
      writeFileSync(path.join(folder, destination), 'older');
    },
    keeps: { [destination]: '-> victim', victim: other },
    act: sendAround('amid', (folder) => {
      rmSync(path.join(folder, destination));
      symlinkSync('victim', path.join(folder, destination));
    }),
  },
];

const folders: Behaviour[] = [
  {
    title: 'A47 download: a folder appears',
    command: 'download',
    code: 'artifact_destination_exists',
    keeps: { [destination]: '(folder)' },
    act: sendAround('amid', (folder) => {
      mkdirSync(path.join(folder, destination));
    }),
  },
  {
    title: 'A38 download --overwrite: a folder appears',
    command: 'download',
    words: ['--overwrite'],
    code: 'artifact_destination_invalid',
    keeps: { [destination]: '(folder)' },
    act: sendAround('amid', (folder) => {
      mkdirSync(path.join(folder, destination));
    }),
  },
  ...(['amid', 'after'] as const).map((moment): Behaviour => ({
    title: `A45 download: a link takes the place of the folder ${moment} the bytes`,
    command: 'download',
    destination: 'sub/out.bin',
    words: ['--overwrite'],
    code: 'artifact_destination_invalid',
    arrange: (folder) => {
      mkdirSync(path.join(folder, 'sub'));
      mkdirSync(path.join(folder, 'elsewhere'));
      writeFileSync(path.join(folder, 'elsewhere', destination), other);
    },
    keeps: {
      moved: '(folder)',
      sub: '-> elsewhere',
      elsewhere: '(folder)',
      [`elsewhere/${destination}`]: other,
    },
    act: sendAround(moment, (folder) => {
      renameSync(path.join(folder, 'sub'), path.join(folder, 'moved'));
      symlinkSync('elsewhere', path.join(folder, 'sub'));
    }),
  })),
  {
    title: 'A38 download: the folder of the destination goes away',
    command: 'download',
    destination: 'sub/out.bin',
    code: 'artifact_destination_invalid',
    arrange: (folder) => {
      mkdirSync(path.join(folder, 'sub'));
    },
    act: sendAround('amid', (folder) => {
      rmSync(path.join(folder, 'sub'), { recursive: true });
    }),
  },
  {
    title: 'A38 download: another folder takes the place of the one that was looked at',
    command: 'download',
    destination: 'sub/out.bin',
    code: 'artifact_destination_invalid',
    arrange: (folder) => {
      mkdirSync(path.join(folder, 'sub'));
    },
    keeps: { moved: '(folder)', sub: '(folder)' },
    act: sendAround('amid', (folder) => {
      renameSync(path.join(folder, 'sub'), path.join(folder, 'moved'));
      mkdirSync(path.join(folder, 'sub'));
    }),
  },
  {
    title: 'A38 download: the working folder goes away',
    command: 'download',
    code: 'artifact_destination_invalid',
    act: sendAround('amid', (folder) => {
      renameSync(folder, `${folder}-moved`);
      rmSync(`${folder}-moved`, { recursive: true });
      mkdirSync(folder);
    }),
  },
];

export const takenDestination: Behaviour[] = [...races, ...links, ...folders];
