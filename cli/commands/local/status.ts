import type { Command } from 'commander';
import { renderFields } from '../../local/render-fields.ts';
import { renderStatus } from '../../local/render-status.ts';
import { defineLocalVerb } from '../../local/run-local-verb.ts';

const examples = `
Examples:
  $ windlass local status
  $ windlass local status --json

--json has all outputs of both CloudFormation stacks.`;

export function defineCommand(command: Command): void {
  defineLocalVerb(command, 'status', (result, output) => {
    output.write(renderStatus(result) ?? renderFields(result).join('\n'));
  }).addHelpText('after', examples);
}
