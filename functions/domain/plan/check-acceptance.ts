import { listChoices } from '../../../schemas/describe-expected.ts';
import type { Fault } from '../../../schemas/problem.ts';
import { makeFault } from '../../../schemas/make-fault.ts';
import type { PlanContext } from './plan-context.ts';

/** ACCEPT_UNKNOWN_OUTPUT: a check of an output that the node does not give could never pass. */
export function checkAcceptance(context: PlanContext): Fault[] {
  return context.nodes.flatMap(({ index, node }) =>
    (node.contract?.accept ?? []).flatMap((check, place) => {
      if (Object.hasOwn(node.gives, check.output)) return [];
      const outputs = Object.keys(node.gives);
      return [
        makeFault(['nodes', index, 'contract', 'accept', place, 'output'], check.output, {
          code: 'ACCEPT_UNKNOWN_OUTPUT',
          message: `the node gives no "${check.output}"`,
          fix: `Write ${outputs.length === 0 ? 'the output under gives' : listChoices(outputs)}${context.suggest(check.output, outputs)}`,
        }),
      ];
    }),
  );
}
