import type { Command } from 'commander';
import { connect } from '../../api/connect.ts';
import type { NodeDetail } from '../../api/windlass-api.ts';
import { addBoardOptions, type BoardOptions } from '../../options/connection-options.ts';
import { chooseBoard, readNodeArgument, readRunArgument } from '../../options/read-arguments.ts';
import { cleanText } from '../../output/clean-text.ts';
import { formatBytes } from '../../output/format-bytes.ts';
import { countWords, formatDuration, formatMicroUsd } from '../../output/format-values.ts';
import { createOutput, type Output } from '../../output/output.ts';
import { paintStatus } from '../../watch/render-run.ts';

const examples = `
Examples:
  $ windlass run explain run_01JQ5T8Z9Q6X4V2N7M3K1H0GFE extract-0001 --board demo

It says which executor each attempt got, and why every cheaper one was passed over.`;

/** The closed list of reasons, in words (E4). */
const reasons: Record<string, string> = {
  NOT_THIS_ACTION: 'cannot do this operation or kind of action',
  NOT_THESE_OUTPUTS: 'may not produce outputs of these media types',
  EXCLUDED_BY_CONTRACT: 'is not among the executors that the plan names',
  UNVERIFIED: 'has no verification record',
  UNPRICED: 'has no price',
  OVER_NODE_BUDGET: 'may cost more than one attempt of this node is allowed',
};

export function defineCommand(command: Command): void {
  addBoardOptions(
    command
      .argument('<run>', 'id of the run', readRunArgument)
      .argument('<node>', 'id of the node', readNodeArgument),
  )
    .addHelpText('after', examples)
    .action(async (run: string, node: string, options: BoardOptions) => {
      const output = createOutput(options);
      const board = chooseBoard(options.board, process.env);
      const { api } = await connect(options, process.env);
      const detail = await api.showNode(board, run, node);
      if (output.json) output.writeJson(detail);
      else output.write(explainNode(detail, output.paint));
    });
}

function explainNode(node: NodeDetail, paint: Output['paint']): string {
  const title =
    node.title === node.id || node.title === node.written_id ? [] : [cleanText(node.title)];
  const lines = [
    [paint('bold', node.id), ...title, paintStatus(node.state, paint)].join('  '),
    `operation ${node.operation}; ${countWords(node.attempts, 'attempt')}, took ${formatDuration(node.took_milliseconds)}, charged ${node.seconds} s and ${formatMicroUsd(node.cost_micro_usd)}`,
    node.needs.length === 0 ? 'needs nothing' : `needs ${node.needs.join(', ')}`,
  ];
  if (node.failure !== null)
    lines.push(paint('red', cleanText(`${node.failure.reason}: ${node.failure.detail}`)));
  if (node.attempt_list.length === 0)
    lines.push('', 'no executor was chosen: the node has had no attempt');
  for (const attempt of node.attempt_list) lines.push('', ...explainAttempt(attempt));
  return lines.join('\n');
}

function explainAttempt(attempt: NodeDetail['attempt_list'][number]): string[] {
  const reason = attempt.reason === null ? '' : ` (${attempt.reason})`;
  const end = attempt.end === null ? attempt.state : `${attempt.end}${reason}`;
  const detail = attempt.detail === '' ? '' : `: ${attempt.detail}`;
  const passed = attempt.passed_over.map(
    (entry) => `  passed over ${entry.executor}: ${reasons[entry.reason] ?? entry.reason}`,
  );
  return [
    `attempt ${String(attempt.number)}: ${attempt.executor} (${attempt.executor_version}), level ${String(attempt.level)}, ${attempt.kind}`,
    `  ${end}${detail}`,
    `  execution ${attempt.execution} of the workflow ${attempt.workflow}`,
    ...describeChecks(attempt.checks),
    ...attempt.logs.map(describeLog),
    ...(passed.length === 0 ? ['  nothing cheaper was passed over'] : passed),
  ].map((line) => cleanText(line));
}

/** A check that failed by its name; the others by their number. */
function describeChecks(checks: NodeDetail['attempt_list'][number]['checks']): string[] {
  if (checks === null) return [];
  const count = (verdict: string) => checks.filter((each) => each.verdict === verdict).length;
  const failed = checks.filter((each) => each.verdict === 'FAILED').map((each) => each.check);
  const without = count('VACUOUS') === 0 ? '' : `, ${String(count('VACUOUS'))} had no subject`;
  const names = failed.length === 0 ? '' : `; failed: ${failed.join(', ')}`;
  return [
    `  checks: ${String(count('PASSED'))} of ${String(checks.length)} passed${without}${names}`,
  ];
}

/** The link itself stays in `--json`: whoever has it can read the log. */
function describeLog(log: NodeDetail['attempt_list'][number]['logs'][number]): string {
  const of = `${log.stream} of ${log.command_id} (${formatBytes(log.size)})`;
  return log.head === null
    ? `  ${of} is not shown; --json has a link to it`
    : `  ${of}: ${log.head}`;
}
