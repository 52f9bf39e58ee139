import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Behaviour } from '../behaviour.ts';
import { content, print } from '../call.ts';

const other = 'written by somebody else';
const destination = 'out.bin';
const half = content.length / 2;

/** The bytes, with something done to the destination before, amid or after them. */
function acts(
  moment: 'before' | 'amid' | 'after',
  deed: (folder: string) => void,
): Behaviour['act'] {
  return {
    'artifact-download': (call) => {
      if (moment === 'before') deed(call.folder);
      print(content.subarray(0, half));
      if (moment === 'amid') deed(call.folder);
      print(content.subarray(half));
      if (moment === 'after') deed(call.folder);
    },
  };
}

function writeOther(folder: string): void {
  writeFileSync(path.join(folder, destination), other, { flag: 'wx' });
}

const races = (['before', 'amid', 'after'] as const).map((moment): Behaviour => ({
  title: `A47 download: somebody else's file appears ${moment} the bytes`,
  command: 'download',
  code: 'artifact_destination_exists',
  keeps: { [destination]: other },
  act: acts(moment, writeOther),
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
    act: acts('amid', (folder) => {
      symlinkSync('victim', path.join(folder, destination));
    }),
  },
  {
    title: 'A45 download: a link that leads nowhere appears',
    command: 'download',
    code: 'artifact_destination_exists',
    keeps: { [destination]: '-> nowhere' },
    act: acts('amid', (folder) => {
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
    act: acts('amid', (folder) => {
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
    act: acts('amid', (folder) => {
      mkdirSync(path.join(folder, destination));
    }),
  },
  {
    title: 'A38 download --overwrite: a folder appears',
    command: 'download',
    words: ['--overwrite'],
    code: 'artifact_destination_invalid',
    keeps: { [destination]: '(folder)' },
    act: acts('amid', (folder) => {
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
    act: acts(moment, (folder) => {
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
    act: acts('amid', (folder) => {
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
    act: acts('amid', (folder) => {
      renameSync(path.join(folder, 'sub'), path.join(folder, 'moved'));
      mkdirSync(path.join(folder, 'sub'));
    }),
  },
  {
    title: 'A38 download: the working folder goes away',
    command: 'download',
    code: 'artifact_destination_invalid',
    act: acts('amid', (folder) => {
      renameSync(folder, `${folder}-moved`);
      rmSync(`${folder}-moved`, { recursive: true });
      mkdirSync(folder);
    }),
  },
];

const overwrites: Behaviour[] = [
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

/** The unpublished file of the command, which an adapter of the same user can find. */
function findStaged(folder: string): string {
  const names = readdirSync(folder).filter((name) => name !== destination);
  if (names.length !== 1) throw new Error(`${String(names.length)} files instead of one`);
  return path.join(folder, names[0] ?? '');
}

const staged: Behaviour[] = [
  {
    title: 'A51 download: the unpublished file is removed',
    command: 'download',
    code: 'artifact_destination_invalid',
    act: acts('after', (folder) => {
      rmSync(findStaged(folder));
    }),
  },
  {
    title: 'A51 download: another file takes the place of the unpublished one',
    command: 'download',
    code: 'artifact_destination_invalid',
    act: acts('after', (folder) => {
      const name = findStaged(folder);
      rmSync(name);
      writeFileSync(name, other);
    }),
  },
  {
    title: 'A51 download: a link takes the place of the unpublished file',
    command: 'download',
    code: 'artifact_destination_invalid',
    act: acts('after', (folder) => {
      const name = findStaged(folder);
      rmSync(name);
      symlinkSync('/etc/hostname', name);
    }),
  },
];

export const takenDestination: Behaviour[] = [
  ...staged,
  ...races,
  ...links,
  ...folders,
  ...overwrites,
];
