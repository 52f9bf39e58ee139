import type { Command } from 'commander';
import { renderFields } from '../../local/render-fields.ts';
import { defineLocalVerb } from '../../local/run-local-verb.ts';

const examples = `
Examples:
  $ windlass local status
  $ windlass local status --json`;

export function defineCommand(command: Command): void {
  defineLocalVerb(command, 'status', (result, output) => {
    output.write(renderFields(result).join('\n'));
  }).addHelpText('after', examples);
}
