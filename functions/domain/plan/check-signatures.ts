import type { Fault } from '../../../schemas/problem.ts';
import { checkInputs } from './check-inputs.ts';
import { checkOutputs } from './check-outputs.ts';
import { listCandidates } from './list-candidates.ts';
import type { PlanContext } from './plan-context.ts';

/**
 * Whether what a node takes and gives fits an executor of its operation. One that it fits is enough; if there is none, the
 * first says why.
 */
export function checkSignatures(context: PlanContext): Fault[] {
  return context.nodes.flatMap((written) => {
    let first: Fault[] | undefined;
    for (const executor of listCandidates(context, written.node)) {
      const signature = context.signatureOf(executor.id);
      const faults = [
        ...(signature === undefined ? [] : checkInputs(context, written, signature.inputs)),
        ...checkOutputs(context, written, { executor, signature }),
      ];
      if (faults.length === 0) return [];
      first ??= faults;
    }
    return first ?? [];
  });
}
