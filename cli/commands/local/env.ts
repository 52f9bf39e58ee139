import type { Command } from 'commander';
import { renderExports } from '../../local/render-environment.ts';
import { defineLocalVerb } from '../../local/run-local-verb.ts';

const examples = `
Examples:
  $ eval "$(windlass local env)" && aws s3 ls
  $ windlass local env --json

The keys it prints open nothing but the emulator on this machine.`;

export function defineCommand(command: Command): void {
  defineLocalVerb(command, 'env', (result, output) => {
    output.write(renderExports(result));
  }).addHelpText('after', examples);
}
