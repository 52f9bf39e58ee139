import { InvalidArgumentError } from 'commander';
import { boardName, nodeId, runId } from '../../schemas/ids.ts';
import { refuseUsage } from '../command-failure.ts';

export function readRunArgument(text: string): string {
  if (runId.safeParse(text).success) return text;
  throw new InvalidArgumentError('A run is named run_ and 26 letters and digits.');
}

export function readNodeArgument(text: string): string {
  if (nodeId.safeParse(text).success) return text;
  throw new InvalidArgumentError('A node is named as `windlass run status RUN` shows it.');
}

export function readCount(text: string): number {
  if (/^[0-9]{1,12}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number, 0 or more.');
}

/** How many to list. */
export function readLimit(text: string): number {
  if (/^[1-9][0-9]{0,11}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number, 1 or more.');
}

/** The board of `--board`, else of WINDLASS_BOARD. No other default: a run on the wrong board spends its money. */
export function chooseBoard(option: string | undefined, env: NodeJS.ProcessEnv): string {
  const board = option ?? env['WINDLASS_BOARD'];
  if (board === undefined || board === '') {
    throw refuseUsage('no board is named', 'give --board BOARD, or set WINDLASS_BOARD');
  }
  if (boardName.safeParse(board).success) return board;
  throw refuseUsage(
    `the board "${board}" is not a name of a board`,
    'use 1 to 64 of a-z, 0-9, "_" and "-", beginning with a letter or digit',
  );
}
