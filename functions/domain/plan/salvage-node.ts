import { bindingSource, planNode, type PlanNodeDocument } from '../../../schemas/plan.ts';

/** The fields of a badly shaped node that can be read, so that what they name is checked all the same. */
export function salvageNode(item: Readonly<Record<string, unknown>>): Partial<PlanNodeDocument> {
  const { operation, executors, for_each: forEach, gives } = planNode.shape;
  return {
    operation: operation.safeParse(readField(item, 'operation')).data,
    executors: executors.safeParse(readField(item, 'executors')).data,
    for_each: forEach.safeParse(readField(item, 'for_each')).data,
    gives: gives.safeParse(readField(item, 'gives')).data,
    takes: salvageTakes(readField(item, 'takes')),
    after: salvageAfter(readField(item, 'after')),
  };
}

function readField(item: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(item, name) ? item[name] : undefined;
}

function salvageTakes(takes: unknown): Record<string, string> {
  if (typeof takes !== 'object' || takes === null) return {};
  const bindings = Object.entries(takes).flatMap(([name, text]): [string, string][] => {
    const parsed = bindingSource.safeParse(text);
    return parsed.success ? [[name, parsed.data]] : [];
  });
  return Object.fromEntries(bindings);
}

function salvageAfter(after: unknown): string[] {
  if (!Array.isArray(after)) return [];
  return after.filter((id): id is string => typeof id === 'string');
}
