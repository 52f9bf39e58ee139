import type { Command } from 'commander';
import { defineLocalVerb } from '../../local/run-local-verb.ts';

const examples = `
Examples:
  $ windlass local deploy
  $ windlass local deploy --name second

It builds the functions and environments of this folder and deploys both CloudFormation stacks into a
local stack that is up. Boards, runs and files stay.`;

export function defineCommand(command: Command): void {
  defineLocalVerb(command, 'deploy', (_result, output, name) => {
    output.write(`the local stack "${name}" has the code of this folder`);
  }).addHelpText('after', examples);
}
