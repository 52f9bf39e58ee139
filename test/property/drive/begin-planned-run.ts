import type { createInMemoryPorts } from '../../../functions/adapters/in-memory/create-in-memory-ports.ts';
import { beginRun } from '../../../functions/use-cases/run/begin-run.ts';
import { renderCanonical } from '../../../schemas/digest.ts';
import { digestPlan, encodePlan, type ExpandedPlan } from '../../../schemas/expanded-plan.ts';

/** Begins a run of a plan that needs no admission. */
export async function beginPlannedRun(
  ports: ReturnType<typeof createInMemoryPorts>,
  run: { runId: string; board: string; plan: ExpandedPlan },
): Promise<void> {
  await ports.documents.put('plans', renderCanonical(encodePlan(run.plan)));
  await beginRun(ports, {
    ...run,
    scope: ['test'],
    bodySha256: 'body',
    startedBy: 'role/starter',
    planSha256: digestPlan(run.plan),
  });
}
