import { Option, type Command } from 'commander';

/** Options of every command that talks to the API. */
export interface ConnectionOptions {
  stack?: string;
  apiUrl?: string;
  region?: string;
  profile?: string;
  json?: boolean;
}

export interface BoardOptions extends ConnectionOptions {
  board?: string;
}

export function addJsonOption(command: Command): Command {
  return command.option('--json', 'print JSON, and nothing else, on standard output');
}

export function addConnectionOptions(command: Command): Command {
  return addJsonOption(command)
    .addOption(
      new Option('--stack <name>', 'talk to this local stack').conflicts(['apiUrl', 'region']),
    )
    .option('--api-url <url>', 'talk to this deployment (or set WINDLASS_API_URL)')
    .option('--region <region>', 'region of the deployment, when its URL does not tell')
    .option('--profile <name>', 'profile of the AWS configuration to sign with');
}

export function addBoardOptions(command: Command): Command {
  return addConnectionOptions(
    command.option('-b, --board <board>', 'board of the run (or set WINDLASS_BOARD)'),
  );
}

/** The flags with which another command reaches the same board, for the advice that a command gives. */
export function repeatFlags(options: ConnectionOptions, board: string): string {
  const given = [
    ['--board', board],
    ['--stack', options.stack],
    ['--api-url', options.apiUrl],
    ['--region', options.region],
    ['--profile', options.profile],
  ];
  return given
    .filter(([, value]) => value !== undefined)
    .map((pair) => pair.join(' '))
    .join(' ');
}
