import type { Command } from 'commander';
import { defineLocalVerb } from '../../local/run-local-verb.ts';

const examples = `
Examples:
  $ windlass local up
  $ windlass local up --name second

It starts an AWS emulator on 127.0.0.1 over TLS, deploys Windlass into it, and starts local Fargate.
A stack that is up already stays as it is; \`windlass local deploy\` brings changed code into it.`;

export function defineCommand(command: Command): void {
  defineLocalVerb(command, 'up', (_result, output, name) => {
    output.write(`the local stack "${name}" is up`);
    output.note(`next: windlass board create demo --stack ${name}`);
    output.note(`for any AWS tool: eval "$(windlass local env --name ${name})"`);
  }).addHelpText('after', examples);
}
