import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { splitRuntime } from '../../artifact/adapter/split-runtime.ts';
import {
  defaultTimeoutSeconds,
  readTaskId,
  readTimeout,
} from '../../artifact/command/artifact-options.ts';
import { readBoardArgument } from '../../options/read-board-argument.ts';
import { AdapterProbe } from '../../artifact-check/adapter-probe.ts';
import { checkNames, listChecks } from '../../artifact-check/check-list.ts';
import type { Verdict } from '../../artifact-check/conformance-check.ts';
import { runChecks } from '../../artifact-check/run-checks.ts';
import { refuse, refuseUsage } from '../../command-failure.ts';
import { exitCodes } from '../../exit-codes.ts';
import { withInterruption } from '../../interruption.ts';
import { countWords } from '../../output/format-values.ts';
import { createOutput, type Output } from '../../output/output.ts';

interface CheckOptions {
  board: string;
  task: string;
  otherTask?: string;
  atCap?: boolean;
  only?: string[];
  timeout: number;
  json?: boolean;
}

const examples = `
Examples:
  $ windlass artifact check-adapter windlass-aws --board demo --task t_0123abcd
  $ windlass artifact check-adapter 'my-adapter --profile fleet' \\
      --board demo --task t_check --other-task t_check_2 --json

RUNTIME is what --worker-runtime would be. The adapter is called directly, with inputs that the commands would refuse
first, and it must answer as the contract has it. Some twenty attachments, 2 MiB in all, stay on TASK, as no verb
removes any: name a task that is there for it. PASS and FAIL are seen; SKIP says what was not looked at, and why.`;

export function defineCommand(command: Command): void {
  command
    .argument('<runtime>', 'the adapter with its own words, as --worker-runtime takes it')
    .requiredOption('-b, --board <board>', 'board of the task', readBoardArgument)
    .requiredOption('--task <task>', 'task to attach to', readTaskId)
    .option(
      '--other-task <task>',
      'a second task of the board, that must not see the first',
      readTaskId,
    )
    .option('--only <check...>', 'make these checks and what they need')
    .option('--at-cap', 'store a file of 25 MiB as well')
    .option('--timeout <seconds>', 'of one call of the adapter', readTimeout, defaultTimeoutSeconds)
    .option('--json', 'print JSON, and nothing else, on standard output')
    .addHelpText('after', examples)
    .action(async (runtime: string, options: CheckOptions) => {
      const output = createOutput(options);
      const verdicts = await examine(runtime, options, output);
      const failed = verdicts.filter(({ verdict }) => verdict === 'FAIL').length;
      if (output.json) output.writeJson({ conforms: failed === 0, checks: verdicts });
      if (failed === 0) return;
      // The verdicts are the answer already; a second document would spoil `--json`.
      if (output.json) process.exitCode = exitCodes.refused;
      else throw refuse('ADAPTER_DIFFERS', `the adapter fails ${countWords(failed, 'check')}`);
    });
}

async function examine(runtime: string, options: CheckOptions, output: Output): Promise<Verdict[]> {
  if (options.otherTask === options.task)
    throw refuseUsage('--other-task is the same as --task', 'name another task of the board');
  checkNames(options.only ?? []);
  const runtimeWords = readRuntime(runtime);
  const choices = { atCap: options.atCap === true, only: options.only };
  return await withInterruption(
    () => 'attachments that were made until now stay on the task',
    async (signal) => {
      const probe = new AdapterProbe({
        runtime,
        runtimeWords,
        board: options.board,
        taskId: options.task,
        otherTaskId: options.otherTask,
        timeoutSeconds: options.timeout,
        signal,
        tag: randomBytes(4).toString('hex'),
        env: process.env,
      });
      return await runChecks(listChecks(choices), probe, (verdict) => {
        if (!output.json) output.write(renderVerdict(verdict, output));
      });
    },
  );
}

function readRuntime(runtime: string): string[] {
  try {
    const words = splitRuntime(runtime);
    if (words.length > 0) return words;
  } catch {
    throw refuseUsage('the runtime has a quote without an end', 'close it, or escape it with \\');
  }
  throw refuseUsage('the runtime names no program', 'give the adapter as --worker-runtime has it');
}

function renderVerdict(verdict: Verdict, output: Output): string {
  const colours = { PASS: 'green', FAIL: 'red', SKIP: 'dim' } as const;
  const mark = output.paint(colours[verdict.verdict], verdict.verdict);
  const line = `${mark} ${verdict.requirement.padEnd(7)} ${verdict.name}: ${verdict.demand}`;
  return verdict.detail === undefined ? line : `${line}\n     ${verdict.detail}`;
}
