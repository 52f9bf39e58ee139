import type { Command } from 'commander';
import { explainIssues } from '../../../schemas/explain-issues.ts';
import { readPath } from '../../../schemas/make-fault.ts';
import { nameNode } from '../../../schemas/name-node.ts';
import { plan as planSchema } from '../../../schemas/plan.ts';
import { planWords } from '../../../schemas/plan-words.ts';
import { readPlan } from '../../inputs/read-plan.ts';
import { addJsonOption } from '../../options/connection-options.ts';
import { countWords } from '../../output/format-values.ts';
import { createOutput } from '../../output/output.ts';
import { refusePlan } from '../../plan/refuse-plan.ts';

const examples = `
Examples:
  $ windlass plan check plan.yaml
  $ windlass plan check - < plan.yaml

It checks the form of the plan on this machine, and sends nothing. Cycles, executors, prices and
inputs are checked when the plan is submitted.`;

export function defineCommand(command: Command): void {
  addJsonOption(command.argument('<plan>', 'plan in YAML or JSON; - reads standard input'))
    .addHelpText('after', examples)
    .action(async (file: string, options: { json?: boolean }) => {
      const output = createOutput(options);
      const { document } = await readPlan(file);
      const parsed = planSchema.safeParse(document);
      if (!parsed.success) {
        const faults = explainIssues(parsed.error.issues, document, planWords);
        const named = faults.map((fault) =>
          nameNode(fault, (index) => readPath(document, ['nodes', index, 'id'])),
        );
        throw refusePlan(file, named);
      }
      const { name, nodes } = parsed.data;
      if (output.json) output.writeJson({ plan: name, nodes: nodes.length, form: 'VALID' });
      else
        output.write(`${name}: the form is right, ${countWords(nodes.length, 'node')} as written`);
      output.note('the graph, executors, prices and inputs are checked when it is submitted');
    });
}
