import { InvalidArgumentError } from 'commander';
import { isBoard } from '../../schemas/parse-artifact-reference.ts';

/** Apart from what needs zod, which would be most of the start of an artifact command. */
export function readBoardArgument(text: string): string {
  if (isBoard(text)) return text;
  throw new InvalidArgumentError(
    'A board is 1 to 64 of a-z, 0-9, "_" and "-", beginning with a letter or digit.',
  );
}
