import type { Command } from 'commander';
import { refuse } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { checkConnection } from '../doctor/check-connection.ts';
import { checkMachine } from '../doctor/check-machine.ts';
import type { Finding } from '../doctor/finding.ts';
import { withInterruption } from '../interruption.ts';
import { addBoardOptions, type BoardOptions } from '../options/connection-options.ts';
import { cleanText } from '../output/clean-text.ts';
import { nameProgram } from '../output/name-program.ts';
import { countWords } from '../output/format-values.ts';
import { createOutput, type Output } from '../output/output.ts';

const examples = `
Examples:
  $ windlass doctor
  $ windlass doctor --stack default --board demo
  $ windlass doctor --api-url https://abc123.execute-api.eu-central-1.amazonaws.com/v1/ --board demo

Each line is one thing that is needed; a fault comes with what to do. Nothing is changed.
This machine is looked at only when no deployed stack is named.`;

export function defineCommand(command: Command): void {
  addBoardOptions(command)
    .addHelpText('after', examples)
    .action(async (options: BoardOptions) => {
      const output = createOutput(options);
      const findings = await withInterruption(
        () => 'nothing was changed',
        (signal) => examine(options, signal),
      );
      const faults = findings.filter((finding) => finding.verdict === 'fault').length;
      if (output.json) output.writeJson({ healthy: faults === 0, findings });
      else for (const finding of findings) output.write(renderFinding(finding, output));
      if (faults === 0) return;
      // The findings are the answer already; a second document would spoil `--json`.
      if (output.json) process.exitCode = exitCodes.refused;
      else throw refuse('UNHEALTHY', `found ${countWords(faults, 'fault')}`);
    });
}

async function examine(options: BoardOptions, signal: AbortSignal): Promise<Finding[]> {
  const { env } = process;
  const deployed =
    options.stack === undefined && (options.apiUrl ?? env['WINDLASS_API_URL']) !== undefined;
  const machine = deployed ? [] : await checkMachine(signal);
  const board = options.board ?? env['WINDLASS_BOARD'];
  const connection = await checkConnection({ options, board, env, signal });
  // What was broken off would read as a fault.
  signal.throwIfAborted();
  return [...machine, ...connection];
}

function renderFinding(finding: Finding, output: Output): string {
  const what = finding.what.padEnd(12);
  const detail = cleanText(finding.detail);
  switch (finding.verdict) {
    case 'ok':
      return `${output.paint('green', '✓')} ${what} ${detail}`;
    case 'skipped':
      return `${output.paint('dim', '-')} ${what} ${detail}`;
    case 'fault':
      return `${output.paint('red', '✗')} ${what} ${detail}\n    fix: ${nameProgram(cleanText(finding.fix))}`;
  }
}
