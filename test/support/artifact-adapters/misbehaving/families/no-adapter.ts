import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ArtifactVerb, Behaviour } from '../behaviour.ts';

const executable = 0o755;

/** A file that is made beside the working folder, where the test looks for nothing. */
function place(folder: string, name: string): string {
  return path.join(path.dirname(folder), name);
}

function missing(title: string, runtime: (folder: string) => string): Behaviour {
  return {
    title: `A40 ${title}`,
    command: 'list',
    code: 'artifact_transport_unavailable',
    runtime,
  };
}

function missingFor(command: ArtifactVerb): Behaviour {
  return { ...missing(`${command}: no such file`, () => '/nonexistent/adapter --flag'), command };
}

export const noAdapter: Behaviour[] = [
  missingFor('upload'),
  missingFor('list'),
  missingFor('download'),
  missing('a bare name that is on no PATH', () => 'no-such-windlass-adapter'),
  missing('a file without the right to run', (folder) => {
    const file = place(folder, 'unrunnable');
    writeFileSync(file, '#!/bin/sh\necho "[]"\n', { mode: 0o644 });
    chmodSync(file, 0o644);
    return file;
  }),
  missing('a folder', (folder) => {
    mkdirSync(place(folder, 'folder'));
    return place(folder, 'folder');
  }),
  missing('a script whose interpreter is not there', (folder) => {
    writeFileSync(place(folder, 'script'), '#!/nonexistent/interpreter\n', { mode: executable });
    return place(folder, 'script');
  }),
  missing('a component of the path that is a file', (folder) => {
    writeFileSync(place(folder, 'plain'), '');
    return path.join(place(folder, 'plain'), 'adapter');
  }),
  missing('a link that leads nowhere', (folder) => {
    symlinkSync('/nonexistent/adapter', place(folder, 'dangling'));
    return place(folder, 'dangling');
  }),
  missing('a loop of links', (folder) => {
    symlinkSync('loop', place(folder, 'loop'));
    return place(folder, 'loop');
  }),
  missing('a name longer than any file system takes', () => `/${'a'.repeat(5_000)}`),
  missing('a word that is empty', () => `"" artifact`),
  missing('quotes that do not close', () => `"/bin/true`),
  missing('a backslash that ends it', () => `/bin/true \\`),
  missing('shell operators, which are words', () => '/nonexistent;/bin/true'),
  missing('a command substitution, which is a word', () => '$(/bin/true)'),
];
