import type { Command } from 'commander';
import { defineLocalVerb } from '../../local/run-local-verb.ts';

const examples = `
Examples:
  $ windlass local down
  $ windlass local down --name second

It stops everything the stack started. No process stays.`;

export function defineCommand(command: Command): void {
  defineLocalVerb(command, 'down', (_result, output, name) => {
    output.write(`the local stack "${name}" is down`);
  }).addHelpText('after', examples);
}
