import type { Command } from 'commander';
import { limits } from '../../../schemas/limits.ts';
import { plan as planSchema } from '../../../schemas/plan.ts';
import { renderProblem } from '../../../schemas/problem.ts';
import { CommandFailure } from '../../command-failure.ts';
import { exitCodes } from '../../exit-codes.ts';
import { readPlan } from '../../inputs/read-plan.ts';
import { addJsonOption } from '../../options/connection-options.ts';
import { countWords } from '../../output/format-values.ts';
import { createOutput } from '../../output/output.ts';
import { describeIssues } from '../../plan/describe-issue.ts';

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
        const faults = describeIssues(parsed.error.issues, document);
        throw refusePlan(file, faults);
      }
      const { name, nodes } = parsed.data;
      if (output.json) output.writeJson({ plan: name, nodes: nodes.length, form: 'VALID' });
      else
        output.write(`${name}: the form is right, ${countWords(nodes.length, 'node')} as written`);
      output.note('the graph, executors, prices and inputs are checked when it is submitted');
    });
}

function refusePlan(file: string, faults: ReturnType<typeof describeIssues>): CommandFailure {
  const listed = faults.slice(0, limits.refusalFaults);
  const detail = `${file}: ${countWords(faults.length, 'fault')}`;
  return new CommandFailure({
    exit: exitCodes.refused,
    code: 'PLAN_REFUSED',
    message: detail,
    problem: renderProblem('PLAN_REFUSED', detail, {
      listed,
      leftOut: faults.length - listed.length,
    }),
  });
}
