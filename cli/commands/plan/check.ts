import type { Command } from 'commander';
import { checkValues } from '../../../schemas/check-values.ts';
import { explainIssues } from '../../../schemas/explain-issues.ts';
import { readPath } from '../../../schemas/make-fault.ts';
import { nameNode } from '../../../schemas/name-node.ts';
import { plan as planSchema } from '../../../schemas/plan.ts';
import { planWords } from '../../../schemas/plan-words.ts';
import { connect } from '../../api/connect.ts';
import type { PlanCheckAnswer } from '../../api/windlass-api.ts';
import { refuseUsage } from '../../command-failure.ts';
import { describeInputs } from '../../inputs/describe-inputs.ts';
import { findListInputs, readPlan } from '../../inputs/read-plan.ts';
import { withInterruption } from '../../interruption.ts';
import { addConnectionOptions, type BoardOptions } from '../../options/connection-options.ts';
import {
  addInputOptions,
  findNamedInputs,
  type InputOptions,
} from '../../options/input-options.ts';
import { chooseBoard } from '../../options/read-arguments.ts';
import { cleanText } from '../../output/clean-text.ts';
import { countWords, formatMicroUsd } from '../../output/format-values.ts';
import { createOutput, type Output } from '../../output/output.ts';
import { explainShortfalls } from '../../plan/explain-shortfalls.ts';
import { refusePlan } from '../../plan/refuse-plan.ts';

type CheckOptions = BoardOptions & InputOptions;

const examples = `
Examples:
  $ windlass plan check plan.yaml
  $ windlass plan check - < plan.yaml
  $ windlass plan check plan.yaml --board demo --input 'documents=papers/*'

Without --board it checks the form of the plan on this machine, and sends nothing; WINDLASS_BOARD does not count.
With one it asks the API what a start would say: the graph, executors, prices and inputs too. Files are
measured and not sent, and nothing is started or stored.`;

export function defineCommand(command: Command): void {
  command
    .argument('<plan>', 'plan in YAML or JSON; - reads standard input')
    .option('-b, --board <board>', 'check all that a start on this board checks');
  addConnectionOptions(addInputOptions(command))
    .addHelpText('after', examples)
    .action(async (file: string, options: CheckOptions) => {
      const output = createOutput(options);
      const check = options.board === undefined ? checkForm : checkWhole;
      await withInterruption(
        () => 'nothing was started or stored',
        (signal) => check({ file, options, output, signal }),
      );
    });
}

interface Check {
  file: string;
  options: CheckOptions;
  output: Output;
  signal: AbortSignal;
}

async function checkForm({ file, options, output, signal }: Check): Promise<void> {
  refuseOptionsOfBoard(options);
  const { document } = await readPlan(file, signal);
  const unreadable = checkValues(document);
  if (unreadable.length > 0) throw refusePlan(file, unreadable);
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
  else output.write(`${name}: the form is right, ${countWords(nodes.length, 'node')} as written`);
  output.note(
    'the graph, executors, prices and inputs are checked with --board, or when it is submitted',
  );
}

/** Left unsaid they would seem to have been checked. */
function refuseOptionsOfBoard(options: CheckOptions): void {
  const given = [
    ['--input', options.input],
    ['--media-type', options.mediaType],
    ['--stack', options.stack],
    ['--api-url', options.apiUrl],
    ['--region', options.region],
    ['--profile', options.profile],
  ].find(([, value]) => value !== undefined);
  if (given === undefined) return;
  throw refuseUsage(
    `${String(given[0])}: without --board the form alone is checked, on this machine`,
    'give --board BOARD to have checked all that a start checks, or leave the option out',
  );
}

async function checkWhole({ file, options, output, signal }: Check): Promise<void> {
  const board = chooseBoard(options.board, {});
  const plan = await readPlan(file, signal);
  const found = await findNamedInputs(options);
  const { api } = await connect(options, process.env, signal);
  const inputs = describeInputs(found, findListInputs(plan.document));
  const answer = await api.checkPlan(board, {
    plan: plan.text,
    ...(found.length > 0 && { inputs }),
  });
  if (output.json) output.writeJson(answer);
  else output.write(describeAnswer(answer));
  for (const shortfall of explainShortfalls(answer.budget)) output.note(shortfall);
  output.note('nothing was started or stored');
}

function describeAnswer({ board, name, nodes, deliverables, budget }: PlanCheckAnswer): string {
  const size = `${countWords(nodes, 'node')}, ${countWords(deliverables, 'deliverable')}`;
  const first = formatMicroUsd(budget.first_attempts.COMPUTE_COST);
  const limit = formatMicroUsd(budget.limit.COMPUTE_COST);
  return [
    `${cleanText(name)}: board ${board} would start it, ${size}`,
    `at most ${first} if no node is tried twice; the budget has ${limit}`,
  ].join('\n');
}
