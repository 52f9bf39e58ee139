import type { Command } from 'commander';
import { z } from 'zod';
import { plan } from '../../../schemas/plan.ts';
import { addJsonOption } from '../../options/connection-options.ts';

const examples = `
Examples:
  $ windlass plan schema > plan.schema.json

Name the file in the first line of a plan, and editors complete and check it:
  # yaml-language-server: $schema=./plan.schema.json`;

export function defineCommand(command: Command): void {
  addJsonOption(command)
    .addHelpText('after', examples)
    .action((options: { json?: boolean }) => {
      const schema = z.toJSONSchema(plan, { io: 'input' });
      const indent = options.json === true ? 0 : 2;
      process.stdout.write(`${JSON.stringify(schema, undefined, indent)}\n`);
    });
}
