import { limits } from '../../schemas/limits.ts';
import { renderProblem, type Fault } from '../../schemas/problem.ts';
import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { countWords } from '../output/format-values.ts';

/** The refusal of a plan that was looked at on this machine, in the form in which the API refuses one. */
export function refusePlan(file: string, faults: readonly Fault[]): CommandFailure {
  const listed = faults.slice(0, limits.refusalFaults);
  const which = file === '-' ? 'on standard input' : file;
  const detail = `The plan ${which} has ${countWords(faults.length, 'fault')}; nothing was sent.`;
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
