import { openSync, writeSync } from 'node:fs';
import type { Behaviour } from '../behaviour.ts';
import { canary, complain, content, print } from '../call.ts';

/** As a program does that asks for a passphrase past its streams. */
function writeToTerminal(): void {
  try {
    writeSync(openSync('/dev/tty', 'w'), `Password for ${canary}: `);
  } catch {
    // It has none.
  }
}

/** Adapters of a command that a person runs by hand. */
export const atATerminal: Behaviour[] = [
  {
    title: 'A18 download: a good adapter that writes to the terminal itself',
    command: 'download',
    code: 'ok',
    act: {
      'artifact-download': () => {
        writeToTerminal();
        complain();
        print(content);
      },
    },
  },
  {
    title: 'A19 download: a failing adapter that writes to the terminal itself',
    command: 'download',
    code: 'artifact_transport_failed',
    act: {
      'artifact-download': () => {
        writeToTerminal();
        print(content);
        process.exit(1);
      },
    },
  },
];
