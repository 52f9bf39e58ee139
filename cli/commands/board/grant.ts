import { InvalidArgumentError, type Command } from 'commander';
import { grantAction, principalArn, type GrantAction } from '../../../schemas/public-api.ts';
import { connect } from '../../api/connect.ts';
import { addConnectionOptions, type ConnectionOptions } from '../../options/connection-options.ts';
import { readBoardArgument } from '../../options/read-board-argument.ts';
import { createOutput } from '../../output/output.ts';

interface GrantOptions extends ConnectionOptions {
  principal: string;
  allow: GrantAction[];
}

const examples = `
Examples:
  $ windlass board grant demo --principal arn:aws:iam::123456789012:role/Team --allow START,READ,UPLOAD
  $ windlass board grant demo --principal arn:aws:iam::123456789012:role/Team --allow none

The grant replaces what the principal had on the board. Actions: ${grantAction.options.join(', ')}.
A role is named without its session: arn:aws:iam::ACCOUNT:role/NAME.`;

export function defineCommand(command: Command): void {
  addConnectionOptions(
    command
      .argument('<board>', 'name of the board', readBoardArgument)
      .requiredOption('--principal <arn>', 'role or user that gets the grant', readPrincipal)
      .requiredOption('--allow <actions>', 'actions, with commas between; or none', readActions),
  )
    .addHelpText('after', examples)
    .action(async (board: string, options: GrantOptions) => {
      const output = createOutput(options);
      const { api } = await connect(options, process.env);
      const { principal, allow: actions } = options;
      const answer = await api.grantOnBoard(board, { principal, actions });
      if (output.json) output.writeJson(answer);
      else
        output.write(
          `${answer.principal} may on ${board}: ${answer.actions.join(', ') || '(nothing)'}`,
        );
    });
}

function readPrincipal(text: string): string {
  if (principalArn.safeParse(text).success) return text;
  throw new InvalidArgumentError(
    text.includes(':assumed-role/')
      ? 'It names a session; name the role: arn:aws:iam::ACCOUNT:role/NAME.'
      : 'It must be arn:aws:iam::ACCOUNT:role/NAME or …:user/NAME.',
  );
}

function readActions(text: string): GrantAction[] {
  if (text === 'none') return [];
  const actions = text.split(',').map((word) => {
    const action = grantAction.safeParse(word.trim().toUpperCase());
    if (action.success) return action.data;
    throw new InvalidArgumentError(`"${word}" is not one of ${grantAction.options.join(', ')}.`);
  });
  return [...new Set(actions)];
}
